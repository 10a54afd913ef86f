#include <algorithm>

#include "daemon/share/page_parts.h"

namespace analytics::share {
namespace {

constexpr int kChartWidth = 1'000;  // in SVG units; browsers stretch the drawing to fit
constexpr int kChartHeight = 200;
constexpr double kGap = 0.2;          // share of a bucket's width that is left empty
constexpr std::size_t kMaxTicks = 7;  // maximum number of labels below the chart
// A time label whose middle is closer to the left edge than this share of the chart's width begins
// at the edge instead of being centred.
constexpr double kEdge = 0.03;

double height_of(const Chart& chart, double value) {
  return kChartHeight * value / chart.top_value;
}
double step_of(const Chart& chart) {
  return static_cast<double>(kChartWidth) / static_cast<double>(chart.bars.size());
}

/// Wraps a drawing in a link that only pointing devices reach. Users of keyboards and screen
/// readers find the same links in the table of numbers.
Html pointed_link(const std::string& href, const Html& html) {
  if (href.empty()) return html;
  return Html().add("<a href=\"{}\" tabindex=\"-1\">{}</a>", href, html);
}

/// Returns the tooltip of a bar: its value, the value of the bucket that it is compared with, and
/// the change.
std::string title_of(const Bar& bar) {
  auto title = bar.label + (bar.text.empty() ? " is still to come" : ": " + bar.text);
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
    const auto drawn = Html().add(
        "<g><rect class=\"hit\" x=\"{}\" width=\"{}\" height=\"{}\"/>"
        "<rect class=\"{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>"
        "<title>{}</title></g>",
        number(x), number(step), number(kChartHeight), bar.is_running ? "now running" : "now",
        number(x + step * kGap / 2), number(kChartHeight - height), number(step * (1 - kGap)),
        number(height), title_of(bar));
    html.add("{}\n", pointed_link(bar.href, drawn));
    x += step;
  }
  return html;
}

/// Draws the compared period as a line through the middle of each bucket.
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
  return Html().add("<polyline class=\"before\" points=\"{}\"/>\n", points);
}

Html grid(const Chart& chart) {
  Html html;
  for (const auto& line : chart.lines) {
    const auto y = number(kChartHeight * (1 - line.share));
    html.add("<line x2=\"{}\" y1=\"{}\" y2=\"{}\"/>", number(kChartWidth), y, y);
  }
  return html;
}

Html grid_labels(const Chart& chart) {
  Html html;
  for (const auto& line : chart.lines) {
    html.add("<text x=\"100%\" y=\"{}%\" dy=\".35em\">{}</text>", number(100 * (1 - line.share)),
             line.text);
  }
  return html;
}

/// Returns labels under the middle of some bars. Their count is odd, so that a style sheet can hide
/// every second label and keep the first and the last.
Html ticks(const Chart& chart) {
  auto count = std::min(kMaxTicks, chart.bars.size());
  if (count % 2 == 0) --count;
  Html html;
  for (std::size_t i = 0; i < count; ++i) {
    const auto at = count == 1 ? 0 : i * (chart.bars.size() - 1) / (count - 1);
    const auto middle = (static_cast<double>(at) + 0.5) * step_of(chart);
    // A centred label of a narrow first bar would hang over the edge.
    const bool is_at_edge = middle < kChartWidth * kEdge;
    html.add("<text x=\"{}%\" y=\"1em\"{}>{}</text>",
             number(is_at_edge ? 0 : 100 * middle / kChartWidth),
             is_at_edge ? Html().add(" text-anchor=\"start\"") : Html(), chart.bars[at].tick);
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
      chart.metric,
      has_before ? Html().add("<th scope=\"col\">Before</th><th scope=\"col\">Change</th>")
                 : Html());
  for (const auto& bar : chart.bars) {
    const auto label = bar.href.empty() ? Html().add("{}", bar.label) : link({bar.label, bar.href});
    html.add("<tr><td>{}</td><td>{}</td>", label, bar.text);
    if (has_before) {
      const auto before = bar.before.value_or(Bar::Before());
      html.add("<td>{}</td><td>{}</td>", before.text, before.change);
    }
    html.add("</tr>\n");
  }
  html.add("</tbody>\n</table>\n</div>\n</details>\n");
  return html;
}

Html choice_of(const char* label, const std::vector<Link>& links) {
  Html html;
  if (links.empty()) return html;
  html.add("<ul class=\"tabs\" aria-label=\"{}\">\n", label);
  for (const auto& each : links) html.add("<li>{}</li>\n", link(each));
  return html.add("</ul>\n");
}

/// Returns the label of the selected comparison; "other days" if the days were typed in.
std::string comparison_of(const Page& page) {
  const auto found = std::find_if(page.comparisons.begin(), page.comparisons.end(),
                                  [](const Link& each) { return each.is_current; });
  return found == page.comparisons.end() ? "other days" : found->text;
}

/// Returns the menus that choose the chart's interval and the period to compare with.
Html choices(const Page& page) {
  Html html;
  html.add("<div class=\"choices\">\n{}", choice_of("By", page.intervals));
  if (!page.comparisons.empty()) {
    html.add(
        "<details class=\"menu end\"><summary>Compared with: {}</summary>\n<div>{}{}"
        "<form action=\"{}\">\n{}<label>From <input type=\"date\" name=\"compare_from\" "
        "value=\"{}\" required></label>\n"
        "<label>to <input type=\"date\" name=\"compare_to\" value=\"{}\" required></label>\n"
        "<button>Compare</button>\n</form></div>\n</details>\n",
        comparison_of(page), choice_of("Compared with", page.comparisons),
        page.weekdays.href.empty() ? Html() : choice_of("Days", {page.weekdays}), page.action,
        hidden(page.compare_form), page.compared_first, page.compared_last);
  }
  return html.add("</div>\n");
}

}  // namespace

Html chart_of(const Page& page) {
  const auto& chart = page.chart;
  Html html;
  if (chart.bars.empty()) return html;
  html.add(
      "<section class=\"chart\">\n<h2>{}</h2>\n{}<div class=\"plot\">\n"
      "<svg viewBox=\"0 0 1000 200\" preserveAspectRatio=\"none\" "
      "aria-hidden=\"true\">\n{}\n{}{}</svg>\n"
      "<svg class=\"scale\" aria-hidden=\"true\">{}</svg>\n</div>\n"
      "<svg class=\"ticks\" aria-hidden=\"true\">{}</svg>\n",
      chart.metric, choices(page), grid(chart), bars(chart), line_before(chart), grid_labels(chart),
      ticks(chart));
  html.add(
      "{}<p class=\"tools\"><a href=\"{}\" download>CSV<span class=\"unseen\"> of the "
      "chart</span></a></p>\n</section>\n",
      chart_table(chart), chart.csv);
  return html;
}

}  // namespace analytics::share
