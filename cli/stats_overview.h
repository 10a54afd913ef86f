#pragma once

#include <ostream>
#include <string>
#include <vector>

namespace analytics::cli {

/// A site at a glance, as texts that are ready to be shown but for control characters.
struct Overview {
  struct Total {
    std::string name;
    std::string value;
    std::string change;  ///< "+12%"; empty: nothing to compare with.
    bool is_better = false;
  };
  struct Bucket {
    std::string label;
    double value = 0;
  };
  struct Panel {
    std::string title;
    std::vector<std::pair<std::string, std::string>> rows;
  };
  std::string title;  ///< "example.com, 2026-10-22 to 2026-11-20"
  std::vector<Total> totals;
  std::string series;  ///< What the buckets count.
  std::vector<Bucket> buckets;
  std::vector<Panel> panels;
};

/// For people: totals, a chart and panels side by side, no line longer than `columns`.
void draw_overview(std::ostream& out, const Overview& overview, std::size_t columns, bool colour);

/// For programs: a line a value, tab-separated, with the panel it belongs to.
void print_overview(std::ostream& out, const Overview& overview);

/// The text in exactly that many columns: filled with spaces, or cut with "…".
[[nodiscard]] std::string fit(const std::string& text, std::size_t columns);

}  // namespace analytics::cli
