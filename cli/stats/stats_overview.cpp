#include "cli/stats/stats_overview.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <span>

#include "common/text/text.h"

namespace analytics::cli {
namespace {

constexpr std::size_t kLeastColumns = 40;
constexpr std::size_t kMaxColumns = 120;
constexpr std::size_t kChartLines = 5;
constexpr std::size_t kEighths = 8;
constexpr std::size_t kBesides = 2;     // number of columns between panels
constexpr std::size_t kLeastName = 12;  // minimum width of a row's name, in columns
constexpr std::size_t kTwoPanels = 70;  // minimum width for two panels side by side, in columns
constexpr std::array<const char*, kEighths + 1> kBlocks = {" ", "▁", "▂", "▃", "▄",
                                                           "▅", "▆", "▇", "█"};

/// Terminal escape codes for text styles; all are empty without colour.
struct Paint {
  explicit Paint(bool colour)
      : bold(colour ? "\033[1m" : ""),
        faint(colour ? "\033[2m" : ""),
        bar(colour ? "\033[36m" : ""),
        better(colour ? "\033[32m" : ""),
        worse(colour ? "\033[31m" : ""),
        plain(colour ? "\033[0m" : "") {}
  const char *bold, *faint, *bar, *better, *worse, *plain;
};

std::string right(const std::string& text, std::size_t columns) {
  const auto width = count_columns(text);
  return width >= columns ? fit(text, columns) : std::string(columns - width, ' ') + text;
}

/// Draws the totals, as many per line as there is room for.
void draw_totals(std::ostream& out, const std::vector<Overview::Total>& totals, std::size_t columns,
                 const Paint& paint) {
  std::size_t width = 1;
  for (const auto& total : totals) {
    width = std::max({width, count_columns(total.name), count_columns(total.value),
                      count_columns(total.change)});
  }
  width = std::min(width + 2, columns);
  const auto in_line = std::max<std::size_t>(columns / width, 1);
  for (std::size_t first = 0; first < totals.size(); first += in_line) {
    const auto last = std::min(first + in_line, totals.size());
    const auto line = [&](auto text_of) {
      for (auto i = first; i < last; ++i) out << text_of(totals[i]);
      out << '\n';
    };
    line([&](const auto& total) { return paint.faint + right(total.name, width) + paint.plain; });
    line([&](const auto& total) { return paint.bold + right(total.value, width) + paint.plain; });
    const bool has_changes = std::any_of(totals.begin() + static_cast<std::ptrdiff_t>(first),
                                         totals.begin() + static_cast<std::ptrdiff_t>(last),
                                         [](const auto& total) { return !total.change.empty(); });
    if (!has_changes) continue;
    line([&](const auto& total) {
      const auto* colour = total.tone == Tone::kSame     ? paint.faint
                           : total.tone == Tone::kBetter ? paint.better
                                                         : paint.worse;
      return colour + right(total.change, width) + paint.plain;
    });
  }
}

/// Returns the values of the chart's bars. If the buckets do not fit side by side, each bar has the
/// greatest value of several buckets.
std::vector<double> fitted(const std::vector<Overview::Bucket>& buckets, std::size_t columns) {
  const auto each = (buckets.size() + columns - 1) / columns;
  std::vector<double> values;
  for (std::size_t i = 0; i < buckets.size(); i += each) {
    double most = 0;
    for (auto at = i; at < std::min(i + each, buckets.size()); ++at) {
      most = std::max(most, buckets[at].value);
    }
    values.push_back(most);
  }
  return values;
}

void draw_chart(std::ostream& out, const Overview& overview, std::size_t columns,
                const Paint& paint) {
  if (overview.buckets.empty()) return;
  const auto values = fitted(overview.buckets, columns);
  const auto bar = columns / values.size();
  const auto gap = bar > 1 ? std::size_t{1} : 0;
  const auto most = std::max(1.0, *std::max_element(values.begin(), values.end()));
  const auto scale = "max " + std::to_string(std::llround(most));
  out << paint.bold << fit(overview.series, columns - scale.size()) << paint.plain << paint.faint
      << scale << paint.plain << '\n';
  for (auto line = kChartLines; line-- > 0;) {
    out << paint.bar;
    for (const auto value : values) {
      const auto height = static_cast<std::size_t>(
          std::ceil(value / most * static_cast<double>(kChartLines * kEighths)));
      const auto above = height > line * kEighths ? height - line * kEighths : 0;
      for (std::size_t i = 0; i < bar - gap; ++i) out << kBlocks[std::min(above, kEighths)];
      out << std::string(gap, ' ');
    }
    out << paint.plain << '\n';
  }
  const auto& first = overview.buckets.front().label;
  const auto& last = overview.buckets.back().label;
  const auto width = bar * values.size();
  out << paint.faint << first;
  if (width > first.size() + last.size()) out << right(last, width - first.size());
  out << paint.plain << '\n';
}

/// Returns the heading of a column; empty for a single column, which explains itself.
std::string heading_of(const Overview::Panel& panel, std::size_t column) {
  return panel.columns.size() == 1 ? std::string() : panel.columns[column];
}

/// Returns the width of each column of values, including a space before it. Leaves out the last
/// columns if the names would have too little room.
std::vector<std::size_t> widths_of(const Overview::Panel& panel, std::size_t columns) {
  std::vector<std::size_t> widths;
  auto room = columns - std::min(columns, kLeastName);
  for (std::size_t i = 0; i < panel.columns.size(); ++i) {
    auto width = count_columns(heading_of(panel, i));
    for (const auto& row : panel.rows) width = std::max(width, count_columns(row.values[i]));
    if (width + 1 > room) break;
    widths.push_back(width + 1);
    room -= width + 1;
  }
  return widths;
}

std::vector<std::string> panel_lines(const Overview::Panel& panel, std::size_t columns,
                                     const Paint& paint) {
  const auto widths = widths_of(panel, columns);
  const auto names = columns - std::accumulate(widths.begin(), widths.end(), std::size_t{0});
  auto heading = paint.bold + fit(panel.title, names) + paint.plain + paint.faint;
  for (std::size_t i = 0; i < widths.size(); ++i) heading += right(heading_of(panel, i), widths[i]);
  std::vector<std::string> lines{heading + paint.plain};
  for (const auto& row : panel.rows) {
    auto& line = lines.emplace_back(fit(visible(row.name), names));
    for (std::size_t i = 0; i < widths.size(); ++i) line += right(row.values[i], widths[i]);
  }
  if (panel.rows.empty()) lines.push_back(paint.faint + fit("nothing", columns) + paint.plain);
  return lines;
}

/// Draws panels side by side, each `columns` wide.
void draw_beside(std::ostream& out, std::span<const Overview::Panel> panels, std::size_t columns,
                 const Paint& paint) {
  std::vector<std::vector<std::string>> beside;
  std::size_t most = 0;
  for (const auto& panel : panels) {
    beside.push_back(panel_lines(panel, columns, paint));
    most = std::max(most, beside.back().size());
  }
  out << '\n';
  for (std::size_t line = 0; line < most; ++line) {
    for (std::size_t i = 0; i < beside.size(); ++i) {
      const bool has_line = line < beside[i].size();
      const bool is_last = i + 1 == beside.size();
      if (has_line) out << beside[i][line];
      if (!is_last) out << std::string(has_line ? kBesides : columns + kBesides, ' ');
    }
    out << '\n';
  }
}

/// Draws panels, two side by side if there is room for all their values.
void draw_panels(std::ostream& out, std::span<const Overview::Panel> panels, std::size_t columns,
                 const Paint& paint) {
  const auto half = (columns - kBesides) / 2;
  const auto fits_half = [&](const Overview::Panel& panel) {
    return columns >= kTwoPanels && widths_of(panel, half).size() == panel.columns.size();
  };
  while (!panels.empty()) {
    const bool is_half = fits_half(panels.front());
    const std::size_t count = is_half && panels.size() > 1 && fits_half(panels[1]) ? 2 : 1;
    draw_beside(out, panels.first(count), is_half ? half : columns, paint);
    panels = panels.subspan(count);
  }
}

}  // namespace

std::string fit(const std::string& text, std::size_t columns) {
  const auto width = count_columns(text);
  if (width <= columns) return text + std::string(columns - width, ' ');
  std::string cut;
  for (std::size_t at = 0; at < text.size();) {
    auto next = at + 1;
    while (next < text.size() && (text[next] & '\xc0') == '\x80') ++next;
    // Keeps room for the ellipsis.
    if (count_columns(cut + text.substr(at, next - at)) + 1 > columns) break;
    cut += text.substr(at, next - at);
    at = next;
  }
  return cut + "…" + std::string(columns - count_columns(cut) - 1, ' ');
}

void draw_overview(std::ostream& out, const Overview& overview, std::size_t columns, bool colour) {
  const Paint paint(colour);
  columns = std::clamp(columns, kLeastColumns, kMaxColumns);
  out << paint.bold << visible(overview.title) << paint.plain << "\n\n";
  draw_totals(out, overview.totals, columns, paint);
  out << '\n';
  draw_chart(out, overview, columns, paint);
  draw_panels(out, overview.panels, columns, paint);
  if (!overview.notes.empty()) out << '\n';
  for (const auto& note : overview.notes)
    out << paint.faint << visible(note) << paint.plain << '\n';
  if (!overview.url.empty()) out << '\n' << visible(overview.url) << '\n';
}

}  // namespace analytics::cli
