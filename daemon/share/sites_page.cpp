#include "daemon/share/sites_page.h"

#include <algorithm>

#include "common/text/html.h"
#include "daemon/share/page.h"

namespace analytics::share {
namespace {

constexpr std::int64_t kSparkHeight = 20;  // units of the drawing; each day is one unit wide

/// Draws a small line chart of visitors by day, the last day at the right. Empty without visitors.
Html sparkline(const std::vector<std::int64_t>& days) {
  const auto most = days.empty() ? 0 : *std::max_element(days.begin(), days.end());
  if (most == 0) return {};
  std::string points;
  for (std::size_t i = 0; i < days.size(); ++i) {
    points += (i == 0 ? "" : " ") + std::to_string(i) + "," +
              std::to_string(kSparkHeight - kSparkHeight * days[i] / most);
  }
  return Html().add(
      "<svg class=\"spark\" viewBox=\"0 -1 {} {}\" preserveAspectRatio=\"none\" role=\"img\" "
      "aria-label=\"At most {} visitors a day\"><polyline points=\"{}\"/></svg>",
      std::int64_t(days.size()) - 1, kSparkHeight + 2, most, points);
}

}  // namespace

std::string render_sites_begin(std::size_t sites, const Embedding& embedding) {
  auto html = head("All sites", embedding);
  html.add(
      "<body{}>\n<header{}>\n<h1>All sites</h1>\n</header>\n<main>\n"
      "<section class=\"sites\">\n<h2>{}</h2>\n",
      embedding.is_embedded ? Html().add(" class=\"embedded\"") : Html(),
      embedding.is_embedded ? Html().add(" class=\"unseen\"") : Html(),
      sites == 1 ? std::string("1 site") : std::to_string(sites) + " sites");
  if (sites == 0) {
    html.add(
        "<p class=\"nothing\">There is no site yet: make one with <code>analytics sites "
        "create example.com</code>.</p>\n");
  }
  html.add(
      "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"Sites\">\n<table>\n"
      "<thead><tr><th scope=\"col\">Site</th><th scope=\"col\">Now</th>"
      "<th scope=\"col\">Today</th><th scope=\"col\">7 days</th>"
      "<th scope=\"col\"><span class=\"unseen\">Change of the 7 days</span></th>"
      "<th scope=\"col\">30 days</th><th scope=\"col\">Last event</th>"
      "<th scope=\"col\">Not counted today</th></tr></thead>\n<tbody>\n");
  return html.str();
}

std::string render_sites_row(const SitesRow& row) {
  Html html;
  if (row.href.empty()) {
    html.add("<tr class=\"sum\"><th scope=\"row\">{}</th>", row.domain);
  } else {
    html.add("<tr><th scope=\"row\"><a href=\"{}\"><bdi dir=\"ltr\">{}</bdi></a>", row.href,
             row.domain);
    if (!row.note.empty()) html.add("<p class=\"note\">{}</p>", row.note);
    html.add("</th>");
  }
  if (!row.problem.empty()) {
    return html.add("<td colspan=\"7\" class=\"worse\">{}</td></tr>\n", row.problem).str();
  }
  const auto cell = [&](const char* label, const Html::Part& value) {
    html.add("<td data-label=\"{}\">{}</td>", label, value);
  };
  cell("Now", row.current);
  cell("Today", row.today);
  cell("7 days", row.week);
  cell("Change", Html().add("<span class=\"{}\">{}</span>", row.tone, row.change));
  cell("30 days", sparkline(row.days));
  cell("Last event",
       Html().add("<span class=\"{}\">{}</span>", row.is_silent ? "worse" : "", row.last_event));
  html.add("<td data-label=\"Not counted today\"{}>{}</td>",
           row.dropped.empty() ? Html().add(" class=\"none\"") : Html(),
           row.dropped.empty() ? "–" : row.dropped);
  html.add("</tr>\n");
  return html.str();
}

std::string render_sites_end() { return "</tbody>\n</table>\n</div>\n</section>\n" + render_end(); }

std::string render_front() {
  return head("Web analytics")
      .add(
          "<body>\n<main>\n<h1>Web analytics</h1>\n<p>This server counts the visitors of web "
          "sites, without cookies. The numbers of a site open with its shared link.</p>\n"
          "<p>Who runs the server makes one at its command line: <code>analytics links ensure "
          "--site example.com Team</code> for one site, <code>analytics links ensure --all-sites "
          "Me</code> for all.</p>\n</main>\n</body>\n</html>\n")
      .str();
}

}  // namespace analytics::share
