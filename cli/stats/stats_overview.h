#pragma once

#include <ostream>
#include <string>
#include <vector>

namespace analytics::cli {

/// Tells whether a change is an improvement, a deterioration or neither.
enum class Tone { kSame, kBetter, kWorse };

/// An overview of a site as texts ready for display, except that control characters are not yet
/// escaped.
struct Overview {
  struct Total {
    std::string name;
    std::string value;
    std::string change;  ///< Change such as "+12%"; empty without comparison.
    Tone tone = Tone::kSame;
  };
  struct Bucket {
    std::string label;
    double value = 0;
  };
  struct Row {
    std::string name;
    std::vector<std::string> values;
  };
  struct Panel {
    std::string title;
    std::vector<std::string> columns;  ///< Headings of the rows' values.
    std::vector<Row> rows;
  };
  std::string title;  ///< Site and period: "example.com, 2026-10-22 to 2026-11-20".
  std::vector<Total> totals;
  std::string series;  ///< Name of the metric that the buckets contain.
  std::vector<Bucket> buckets;
  std::vector<Panel> panels;
  std::string name{};                ///< Name of the site: "example.com".
  std::string url{};                 ///< URL of a page with more details; may be empty.
  std::vector<std::string> notes{};  ///< Sentences about the accuracy of the numbers.
};

/// Draws totals, a chart and panels side by side, for people. No line is longer than `columns`.
void draw_overview(std::ostream& out, const Overview& overview, std::size_t columns, bool colour);

/// Returns the text in exactly that many columns: padded with spaces, or cut with "…". Wide
/// characters take two columns.
[[nodiscard]] std::string fit(const std::string& text, std::size_t columns);

}  // namespace analytics::cli
