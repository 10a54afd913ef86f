#include "daemon/share/page.h"

#include <algorithm>

#include "common/run/version.h"
#include "common/text/text.h"
#include "common/text/url.h"
#include "daemon/share/page_filters.h"
#include "daemon/share/page_parts.h"

namespace analytics::share {
namespace {

Html periods(const Page& page) {
  Html html;
  html.add("<nav aria-label=\"Period\">\n<ul class=\"periods\">\n");
  for (const auto& period : page.periods) html.add("<li>{}</li>\n", link(period));
  return html.add("</ul>\n</nav>\n");
}

/// Returns the dates of the period, links to the previous and next period, and a form to choose
/// days.
Html chosen_days(const Page& page) {
  return Html().add(
      "<div class=\"dates\">{}<p>{}</p>{}\n<details class=\"menu\"><summary>Choose days</summary>\n"
      "<form action=\"{}\">\n{}"
      "<label>From <input type=\"date\" name=\"from\" value=\"{}\" required></label>\n"
      "<label>to <input type=\"date\" name=\"to\" value=\"{}\" required></label>\n"
      "<button>Show</button>\n</form></details></div>\n",
      page.earlier.href.empty() ? Html() : link(page.earlier), page.dates,
      page.later.href.empty() ? Html() : link(page.later), page.action, hidden(page.form),
      page.first_day, page.last_day);
}

Html tiles(const Page& page) {
  Html html;
  html.add("<ul class=\"tiles\">\n");
  for (const auto& tile : page.tiles) {
    Html change;
    if (!tile.change.empty()) {
      change.add("<span class=\"{}\">{}<span class=\"unseen\"> compared with {}</span></span>",
                 tile.tone, tile.change, page.compared_with);
    }
    const Html current = tile.link.is_current ? Html().add(" aria-current=\"true\"") : Html();
    html.add(
        "<li><a href=\"{}\"{}><span class=\"name\">{}</span> <strong>{}</strong> {}</a></li>\n",
        tile.link.href, current, tile.link.text, tile.value, change);
  }
  html.add("</ul>\n");
  return html;
}

Html caveats(const Page& page) {
  Html html;
  if (page.caveats.empty()) return html;
  return html.add("<p class=\"note\">{}</p>\n", join(page.caveats, " "));
}

Html empty_site(const Page& page) {
  Html html;
  html.add(
      "<section class=\"empty\">\n<h2>No event has come yet</h2>\n"
      "<p>Put this into every page of {}, and open one:</p>\n<pre><code>{}</code></pre>\n"
      "<p>This page looks again every minute.</p>\n",
      page.domain, page.empty->snippet);
  if (!page.empty->drops.empty()) {
    html.add("<h2>These events of the last 7 days were not counted</h2>\n<ul>\n");
    for (const auto& [count, meaning] : page.empty->drops) {
      html.add("<li><strong>{}</strong> {}</li>\n", count, meaning);
    }
    html.add("</ul>\n");
  }
  return html.add("</section>\n");
}

Html row_of(const PanelRow& row) {
  const auto name = Html().add("<bdi>{}</bdi>", row.name);
  Html html;
  html.add(
      "<tr><th scope=\"row\"><svg aria-hidden=\"true\"><rect width=\"{}%\" height=\"100%\"/></svg>",
      number(100 * row.share));
  if (row.href.empty()) {
    html.add("<span>{}</span></th>", name);
  } else {
    html.add("<a href=\"{}\">{}</a></th>", row.href, name);
  }
  for (const auto& text : row.numbers) html.add("<td>{}</td>", text);
  html.add("</tr>\n");
  return html;
}

Html search_of(const Panel& panel) {
  const auto& whole = *panel.whole;
  return Html().add(
      "<form class=\"search\" action=\"{}#{}\" role=\"search\">\n{}<label>Search <input "
      "type=\"search\" "
      "name=\"search\" value=\"{}\"></label>\n<button>Search</button>\n</form>\n",
      whole.action, panel.id, hidden(whole.form), Html::Exact{whole.search});
}

/// Returns the numbers of the rows shown, "1 to 100 of 12,000", and links to the rows before and
/// after them.
Html paging(const Panel::Whole& whole) {
  Html html;
  if (whole.count.empty() && whole.before.href.empty()) return html;
  html.add("<p class=\"dates\">{}<span>{}</span>{}</p>\n",
           whole.before.href.empty() ? Html() : link(whole.before), whole.count,
           whole.after.href.empty() ? Html() : link(whole.after));
  return html;
}

/// Returns the map of countries. Its shapes are in a separate file, which browsers cache. The map
/// is hidden from screen readers, because the table below it has the same numbers.
Html map_of(const Panel& panel) {
  const auto file = std::string("/assets/map.svg?v=") + kVersion + "#";
  Html html;
  html.add(
      "<svg class=\"map\" viewBox=\"0 0 1000 465\" aria-hidden=\"true\"><use href=\"{}world\"/>\n",
      file);
  for (const auto& shape : panel.map) {
    html.add(
        "<a href=\"{}\" tabindex=\"-1\"><use href=\"{}\" class=\"s{}\"/><title>{}</title></a>\n",
        shape.href, file + shape.code, std::int64_t{shape.shade}, shape.label);
  }
  return html.add("</svg>\n");
}

Html panel_of(const Panel& panel) {
  Html html;
  html.add("<section id=\"{}\"{}>\n<h2 tabindex=\"-1\">{}</h2>\n", panel.id,
           panel.whole ? Html().add(" class=\"whole\"") : Html(), panel.title);
  if (panel.tabs.size() > 1) {
    html.add("<ul class=\"tabs\" aria-label=\"{} by\">\n", panel.title);
    for (const auto& tab : panel.tabs) html.add("<li>{}</li>\n", link(tab));
    html.add("</ul>\n");
  }
  if (panel.whole) html.add("{}", search_of(panel));
  if (panel.rows.empty()) {
    const bool searches = panel.whole && !panel.whole->search.empty();
    html.add("<p class=\"nothing\">{}</p>\n",
             searches ? "Nothing here contains that." : "Nothing in this period.");
    if (panel.whole)
      html.add("{}<p class=\"tools\">{}</p>\n", paging(*panel.whole), link(panel.more));
    html.add("</section>\n");
    return html;
  }
  if (!panel.map.empty()) html.add("{}", map_of(panel));
  if (panel.whole) {
    html.add("<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"{}\">\n",
             panel.title);
  } else {
    html.add("<div class=\"fit\">\n");
  }
  html.add("<table>\n<thead><tr>");
  for (const auto& column : panel.columns) html.add("<th scope=\"col\">{}</th>", column);
  html.add("</tr></thead>\n<tbody>\n");
  for (const auto& row : panel.rows) html.add("{}", row_of(row));
  html.add("</tbody>\n</table>\n");
  html.add("</div>\n");
  if (panel.whole) html.add("{}", paging(*panel.whole));
  if (!panel.note.empty()) html.add("<p class=\"note\">{}</p>\n", panel.note);
  html.add("<p class=\"tools\">");
  if (!panel.more.href.empty()) {
    html.add("<a href=\"{}\">{}<span class=\"unseen\"> of {}</span></a> ", panel.more.href,
             panel.more.text, panel.title);
  }
  html.add("<a href=\"{}\" download>CSV<span class=\"unseen\"> of {}</span></a></p>\n</section>\n",
           panel.csv, panel.title);
  return html;
}

/// Returns a menu of the sites that the same link opens.
Html menu(const Page& page) {
  Html html;
  if (page.siblings.empty()) return html;
  html.add("<nav aria-label=\"Sites\">{} <details class=\"menu\"><summary>Sites</summary>\n<ul>\n",
           link(page.siblings.front()));
  for (std::size_t i = 1; i < page.siblings.size(); ++i) {
    html.add("<li dir=\"ltr\">{}</li>\n", link(page.siblings[i]));
  }
  html.add("</ul>\n</details></nav>\n");
  return html;
}

}  // namespace

Html head(const std::string& title, const Embedding& embedding) {
  Html theme;
  if (!embedding.theme.empty()) theme.add(" data-theme=\"{}\"", embedding.theme);
  Html background;
  if (!embedding.background.empty()) {
    background.add("<link rel=\"stylesheet\" href=\"/assets/background.css?color={}\">\n",
                   percent_encode(embedding.background));
  }
  Html html;
  html.add(
      "<!doctype html>\n<html lang=\"en\"{}>\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"robots\" content=\"noindex\">\n<title>{}</title>\n"
      "<link rel=\"icon\" href=\"data:,\">\n<link rel=\"stylesheet\" "
      "href=\"/assets/share.css?v={}\">\n{}"
      "<script defer src=\"/assets/share.js?v={}\"></script>\n</head>\n",
      theme, title, kVersion, background, kVersion);
  return html;
}

std::string render_overview(const Page& page) {
  auto html = head(page.title.empty() ? page.domain : page.title, page.embedding);
  const bool is_embedded = page.embedding.is_embedded;
  html.add(
      "<body data-live=\"{}\"{}{}>\n<header>\n{}<h1{}>{}</h1>\n"
      "<p id=\"live\"><span id=\"current\">{}</span> on the site now</p>\n"
      "<p id=\"said\" role=\"status\" class=\"unseen\"></p>\n"
      "</header>\n<main>\n",
      page.live,
      page.is_realtime ? Html().add(" data-refresh=\"15\"")
      : page.is_live   ? Html().add(" data-refresh=\"60\"")
                       : Html(),
      is_embedded ? Html().add(" class=\"embedded\"") : Html(), is_embedded ? Html() : menu(page),
      is_embedded ? Html().add(" class=\"unseen\"") : Html(), page.domain,
      page.current_visitors ? Html::Part(*page.current_visitors) : Html::Part("–"));
  if (page.empty) return html.add("{}", empty_site(page)).str();
  html.add("{}<div class=\"bar\">\n{}{}</div>\n", periods(page), chosen_days(page),
           filters_of(page));
  if (page.problem.empty()) html.add("{}{}{}", tiles(page), caveats(page), chart_of(page));
  return html.str();
}

std::string render_panels(const Page& page) {
  Html html;
  if (!page.problem.empty()) html.add("<p class=\"problem\" role=\"alert\">{}</p>\n", page.problem);
  if (page.lacks_before) {
    html.add("<p class=\"note\">Nothing was counted in {}.</p>\n", page.compared_with);
  }
  if (page.lacks_totals) {
    html.add(
        "<p class=\"note\">Only daily totals are kept of some of these days. They do not count by "
        "hour, by version, or where a filter is more than one value of what is listed.</p>\n");
  }
  if (page.lacks_imports) {
    html.add(
        "<p class=\"note\">Daily totals were imported for some of these days. They do not count by "
        "hour, by what they do not have, or where a filter is on something else than what is "
        "listed.</p>\n");
  } else if (page.has_imports) {
    html.add("<p class=\"note\">Some of these days are imported daily totals.</p>\n");
  }
  html.add("<div class=\"panels\">\n");
  for (const auto& panel : page.panels) html.add("{}", panel_of(panel));
  html.add("</div>\n");
  return html.str();
}

std::string render_end() {
  return Html().add("</main>\n{}</body>\n</html>\n", list_of_keys()).str();
}

std::string render_password_form(const std::string& action, const Embedding& embedding,
                                 const std::string& problem) {
  auto html = head("Password", embedding);
  html.add("<body>\n<main class=\"password\">\n<h1>This page has a password</h1>\n");
  if (!problem.empty()) html.add("<p class=\"problem\" role=\"alert\">{}</p>\n", problem);
  return html
      .add(
          "<form method=\"post\" action=\"{}\">\n<label>Password <input type=\"password\" "
          "name=\"password\" required maxlength=\"128\" autocomplete=\"current-password\" "
          "autofocus></label>\n<button>Open</button>\n</form>\n</main>\n</body>\n</html>\n",
          action)
      .str();
}

std::string render_not_found() {
  return head("Not found")
      .add(
          "<body>\n<main>\n<h1>Not found</h1>\n<p>There is nothing here, or the link is no longer "
          "shared.</p>\n</main>\n</body>\n</html>\n")
      .str();
}

}  // namespace analytics::share
