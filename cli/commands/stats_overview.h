#pragma once

#include <ostream>
#include <string>
#include <vector>

namespace analytics::cli {

/// The direction of a change: for better or for worse.
enum class Tone { kSame, kBetter, kWorse };

/// A site at a glance, as texts that are ready to be shown but for control characters.
struct Overview {
  struct Total {
    std::string name;
    std::string value;
    std::string change;  ///< "+12%"; empty: nothing to compare with.
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
    std::vector<std::string> columns;  ///< The headings of the values of each row.
    std::vector<Row> rows;
  };
  std::string title;  ///< "example.com, 2026-10-22 to 2026-11-20"
  std::vector<Total> totals;
  std::string series;  ///< The metric that the buckets count.
  std::vector<Bucket> buckets;
  std::vector<Panel> panels;
  std::string name{};                ///< "example.com"
  std::string url{};                 ///< The page where people find more; empty: none.
  std::vector<std::string> notes{};  ///< What a reader has to know of the numbers: sentences.
};

/// For people: totals, a chart and panels side by side, no line longer than `columns`.
void draw_overview(std::ostream& out, const Overview& overview, std::size_t columns, bool colour);

/// The text in exactly that many columns: filled with spaces, or cut with "…". Wide characters take
/// two.
[[nodiscard]] std::string fit(const std::string& text, std::size_t columns);

}  // namespace analytics::cli
