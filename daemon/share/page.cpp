#include "daemon/share/page.h"

#include <algorithm>
#include <cmath>

#include "common/text.h"
#include "common/version.h"

namespace analytics::share {
namespace {

using web::Html;

constexpr int kChartWidth = 1'000;  // units of the drawing, which is stretched to fit
constexpr int kChartHeight = 200;
constexpr double kGap = 0.2;          // of a bar's width
constexpr std::size_t kMaxTicks = 7;  // labels under the chart

Html head(const std::string& title) {
  Html html;
  html.add(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"robots\" content=\"noindex\">\n<title>{}</title>\n"
      "<link rel=\"icon\" href=\"data:,\">\n<link rel=\"stylesheet\" "
      "href=\"/assets/share.css?v={}\">\n"
      "<script defer src=\"/assets/share.js?v={}\"></script>\n</head>\n",
      {title, kVersion, kVersion});
  return html;
}

/// Positions have a digit behind the point at most: a page of bars stays small.
std::string number(double value) {
  const auto tenths = static_cast<long long>(std::lround(value * 10));
  auto text = std::to_string(tenths / 10);
  if (tenths % 10 != 0) text += "." + std::to_string(std::abs(tenths % 10));
  return text;
}

Html link(const Link& link, const char* kind = "") {
  Html html;
  const Html current = link.is_current ? Html().add(" aria-current=\"true\"") : Html();
  html.add("<a href=\"{}\"{}{}>{}</a>", {link.href, current, Html().add(kind), link.text});
  return html;
}

Html periods(const Page& page) {
  Html html;
  html.add("<nav aria-label=\"Period\">\n<ul class=\"periods\">\n");
  for (const auto& period : page.periods) html.add("<li>{}</li>\n", {link(period)});
  html.add("</ul>\n<form action=\"{}\">\n", {page.action});
  for (const auto& [name, value] : page.form) {
    html.add("<input type=\"hidden\" name=\"{}\" value=\"{}\">\n",
             {Html::Exact{name}, Html::Exact{value}});
  }
  html.add(
      "<label>From <input type=\"date\" name=\"from\" value=\"{}\" required></label>\n"
      "<label>to <input type=\"date\" name=\"to\" value=\"{}\" required></label>\n"
      "<button>Show</button>\n</form>\n</nav>\n",
      {page.first_day, page.last_day});
  return html;
}

Html filters(const Page& page) {
  Html html;
  if (page.filters.empty()) return html;
  html.add("<ul class=\"filters\" aria-label=\"Filters\">\n");
  for (const auto& filter : page.filters) {
    html.add(
        "<li><a href=\"{}\" title=\"Remove this filter\">{} <span aria-hidden=\"true\">×</span>"
        "<span class=\"unseen\">, remove this filter</span></a></li>\n",
        {filter.href, Html().add("<bdi>{}</bdi>", {filter.text})});
  }
  html.add("</ul>\n");
  return html;
}

Html tiles(const Page& page) {
  Html html;
  html.add("<ul class=\"tiles\">\n");
  for (const auto& tile : page.tiles) {
    Html change;
    if (!tile.change.empty()) {
      change.add(
          "<span class=\"{}\">{}<span class=\"unseen\"> compared with the period "
          "before</span></span>",
          {tile.tone, tile.change});
    }
    const Html current = tile.link.is_current ? Html().add(" aria-current=\"true\"") : Html();
    html.add(
        "<li><a href=\"{}\"{}><span class=\"name\">{}</span> <strong>{}</strong> {}</a></li>\n",
        {tile.link.href, current, tile.link.text, tile.value, change});
  }
  html.add("</ul>\n");
  return html;
}

double height_of(const Chart& chart, double value) {
  return kChartHeight * value / chart.top_value;
}
double step_of(const Chart& chart) {
  return static_cast<double>(kChartWidth) / static_cast<double>(chart.bars.size());
}

/// What stands beside the pointer: both numbers, and the change.
std::string title_of(const Bar& bar) {
  auto title = bar.label + ": " + bar.text;
  if (bar.is_running) title += " so far";
  if (!bar.before) return title;
  title += " · " + bar.before->label + ": " + bar.before->text;
  return bar.before->change.empty() ? title : title + " · " + bar.before->change;
}

Html bars(const Chart& chart) {
  Html html;
  const auto step = step_of(chart);
  double x = 0;
  for (const auto& bar : chart.bars) {
    const auto height = height_of(chart, bar.value);
    html.add(
        "<g><rect class=\"hit\" x=\"{}\" width=\"{}\" height=\"{}\"/>"
        "<rect class=\"{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>"
        "<title>{}</title></g>\n",
        {number(x), number(step), number(kChartHeight), bar.is_running ? "now running" : "now",
         number(x + step * kGap / 2), number(kChartHeight - height), number(step * (1 - kGap)),
         number(height), title_of(bar)});
    x += step;
  }
  return html;
}

/// The period before as a line from the middle of each bucket to that of the next.
Html line_before(const Chart& chart) {
  std::string points;
  double x = step_of(chart) / 2;
  for (const auto& bar : chart.bars) {
    if (bar.before) {
      const auto y = kChartHeight - height_of(chart, bar.before->value);
      points += (points.empty() ? "" : " ") + number(x) + "," + number(y);
    }
    x += step_of(chart);
  }
  if (points.empty()) return {};
  return Html().add("<polyline class=\"before\" points=\"{}\"/>\n", {points});
}

Html grid(const Chart& chart) {
  Html html;
  for (const auto& line : chart.lines) {
    const auto y = number(kChartHeight * (1 - line.share));
    html.add("<line x2=\"{}\" y1=\"{}\" y2=\"{}\"/>", {number(kChartWidth), y, y});
  }
  return html;
}

Html grid_labels(const Chart& chart) {
  Html html;
  for (const auto& line : chart.lines) {
    html.add("<text x=\"100%\" y=\"{}%\" dy=\".35em\">{}</text>",
             {number(100 * (1 - line.share)), line.text});
  }
  return html;
}

/// Labels under the middle of some bars. Every second one can go, and the first and last stay.
Html ticks(const Chart& chart) {
  auto count = std::min(kMaxTicks, chart.bars.size());
  if (count % 2 == 0) --count;
  Html html;
  for (std::size_t i = 0; i < count; ++i) {
    const auto at = count == 1 ? 0 : i * (chart.bars.size() - 1) / (count - 1);
    const auto middle = (static_cast<double>(at) + 0.5) * step_of(chart);
    html.add("<text x=\"{}%\" y=\"1em\">{}</text>",
             {number(100 * middle / kChartWidth), chart.bars[at].tick});
  }
  return html;
}

Html chart_table(const Chart& chart) {
  const bool has_before = std::any_of(chart.bars.begin(), chart.bars.end(),
                                      [](const Bar& bar) { return bar.before.has_value(); });
  Html html;
  html.add(
      "<details>\n<summary>Numbers of the chart</summary>\n<div class=\"scroll\" tabindex=\"0\" "
      "role=\"region\" aria-label=\"Numbers of the chart\">\n<table>\n<thead><tr>"
      "<th scope=\"col\">Time</th><th scope=\"col\">{}</th>{}</tr></thead>\n<tbody>\n",
      {chart.metric, has_before
                         ? Html().add("<th scope=\"col\">Before</th><th scope=\"col\">Change</th>")
                         : Html()});
  for (const auto& bar : chart.bars) {
    html.add("<tr><td>{}</td><td>{}</td>", {bar.label, bar.text});
    if (has_before) {
      const auto before = bar.before.value_or(Bar::Before());
      html.add("<td>{}</td><td>{}</td>", {before.text, before.change});
    }
    html.add("</tr>\n");
  }
  html.add("</tbody>\n</table>\n</div>\n</details>\n");
  return html;
}

Html chart_of(const Chart& chart) {
  Html html;
  if (chart.bars.empty()) return html;
  html.add(
      "<section class=\"chart\">\n<h2>{}</h2>\n<div class=\"plot\">\n"
      "<svg viewBox=\"0 0 1000 200\" preserveAspectRatio=\"none\" role=\"img\" "
      "aria-label=\"{} over time; the numbers are below\">\n{}\n{}{}</svg>\n"
      "<svg class=\"scale\" aria-hidden=\"true\">{}</svg>\n</div>\n"
      "<svg class=\"ticks\" aria-hidden=\"true\">{}</svg>\n",
      {chart.metric, chart.metric, grid(chart), bars(chart), line_before(chart), grid_labels(chart),
       ticks(chart)});
  html.add(
      "{}<p class=\"tools\"><a href=\"{}\" download>CSV<span class=\"unseen\"> of the "
      "chart</span></a></p>\n</section>\n",
      {chart_table(chart), chart.csv});
  return html;
}

Html row_of(const PanelRow& row) {
  const auto name = Html().add("<bdi>{}</bdi>", {row.name});
  Html html;
  html.add(
      "<tr><th scope=\"row\"><svg aria-hidden=\"true\"><rect width=\"{}%\" height=\"100%\"/></svg>",
      {number(100 * row.share)});
  if (row.href.empty()) {
    html.add("<span>{}</span></th>", {name});
  } else {
    html.add("<a href=\"{}\">{}</a></th>", {row.href, name});
  }
  for (const auto& text : row.numbers) html.add("<td>{}</td>", {text});
  html.add("</tr>\n");
  return html;
}

Html panel_of(const Panel& panel) {
  Html html;
  html.add("<section id=\"{}\">\n<h2 tabindex=\"-1\">{}</h2>\n", {panel.id, panel.title});
  if (panel.tabs.size() > 1) {
    html.add("<ul class=\"tabs\" aria-label=\"{} by\">\n", {panel.title});
    for (const auto& tab : panel.tabs) html.add("<li>{}</li>\n", {link(tab)});
    html.add("</ul>\n");
  }
  if (panel.rows.empty()) {
    html.add("<p class=\"nothing\">Nothing in this period.</p>\n</section>\n");
    return html;
  }
  html.add("<table>\n<thead><tr>");
  for (const auto& column : panel.columns) html.add("<th scope=\"col\">{}</th>", {column});
  html.add("</tr></thead>\n<tbody>\n");
  for (const auto& row : panel.rows) html.add("{}", {row_of(row)});
  html.add("</tbody>\n</table>\n<p class=\"tools\">");
  if (!panel.more.href.empty()) html.add("{} ", {link(panel.more)});
  html.add("<a href=\"{}\" download>CSV<span class=\"unseen\"> of {}</span></a></p>\n</section>\n",
           {panel.csv, panel.title});
  return html;
}

}  // namespace

std::string render_overview(const Page& page) {
  auto html = head(page.domain);
  html.add(
      "<body data-live=\"{}\"{}>\n<header>\n<h1>{}</h1>\n"
      "<p id=\"live\"><span id=\"current\">{}</span> on the site now</p>\n"
      "<p id=\"said\" role=\"status\" class=\"unseen\"></p>\n"
      "</header>\n<main>\n{}{}<div class=\"dates\">{}<p>{}</p>{}</div>\n",
      {page.live, page.is_live ? Html().add(" data-refresh") : Html(), page.domain,
       page.current_visitors, periods(page), filters(page),
       page.earlier.href.empty() ? Html() : link(page.earlier), page.dates,
       page.later.href.empty() ? Html() : link(page.later)});
  if (page.problem.empty()) html.add("{}{}", {tiles(page), chart_of(page.chart)});
  return html.str();
}

std::string render_panels(const Page& page) {
  Html html;
  if (!page.problem.empty())
    html.add("<p class=\"problem\" role=\"alert\">{}</p>\n", {page.problem});
  if (page.lacks_totals) {
    html.add(
        "<p class=\"note\">Only daily totals are kept of some of these days. They do not count "
        "where "
        "there is a filter, by hour, or by version.</p>\n");
  }
  html.add("<div class=\"panels\">\n");
  for (const auto& panel : page.panels) html.add("{}", {panel_of(panel)});
  html.add("</div>\n");
  return html.str();
}

std::string render_end() { return "</main>\n</body>\n</html>\n"; }

std::string render_not_found() {
  return head("Not found")
      .add(
          "<body>\n<main>\n<h1>Not found</h1>\n<p>There is nothing here, or the link is no longer "
          "shared.</p>\n</main>\n</body>\n</html>\n")
      .str();
}

}  // namespace analytics::share
