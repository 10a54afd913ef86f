#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "daemon/web/html.h"

/// The page behind a shared link: HTML that is whole without its script, which only keeps it live.
/// Pure: every text and number is given, every link is a state of the page.
namespace analytics::share {

struct Link {
  std::string text;
  std::string href;
  bool is_current = false;
};

/// One of the totals, and how it compares with the period before.
struct Tile {
  Link link;  ///< Shows it in the chart.
  std::string value;
  std::string change;         ///< "+12%"; empty: none.
  const char* tone = "same";  ///< Or "better", "worse".
};

struct Bar {
  std::string tick;   ///< Under the chart: "21 Nov".
  std::string label;  ///< "Sat 21 Nov"
  std::string text;   ///< "1,204"
  double value = 0;
  bool is_running = false;  ///< Its time is not over.
  /// The same part of the preceding period.
  struct Before {
    std::string label;
    std::string text;
    double value = 0;
    std::string change;  ///< "+12%"; empty: none.
  };
  std::optional<Before> before{};
};

/// A line across the chart.
struct GridLine {
  double share = 0;  ///< Of the full height.
  std::string text;
};

struct Chart {
  std::string metric;
  std::vector<Bar> bars;
  std::vector<GridLine> lines;  ///< From the top.
  double top_value = 1;         ///< Of the full height.
  std::string csv;
};

struct PanelRow {
  std::string name;
  std::string href;  ///< Sets the filter; empty: none.
  std::vector<std::string> numbers;
  double share = 0;  ///< The row's length relative to the longest row.
};

struct Panel {
  std::string id;
  std::string title;
  std::vector<Link> tabs;
  std::vector<std::string> columns;  ///< The headings: of the row's name, then of its numbers.
  std::vector<PanelRow> rows;
  std::string csv;
  Link more;  ///< More rows, or fewer; empty: these are all.
};

struct Page {
  std::string domain;
  std::string dates;  ///< "23 Oct – 21 Nov 2026, Europe/Berlin"
  std::string live;   ///< URL that returns the number of current visitors.
  std::int64_t current_visitors = 0;
  bool is_live = false;  ///< The period is not over yet.
  std::vector<Link> periods;
  /// Links to the preceding and the following period of the same length; empty: none.
  Link earlier;
  Link later;
  std::string first_day;  ///< For the choice of days.
  std::string last_day;
  std::string action;
  /// The other parameters that the form keeps.
  std::vector<std::pair<std::string, std::string>> form;
  std::vector<Link> filters;  ///< Each takes itself away.
  std::vector<Tile> tiles;
  Chart chart;
  std::vector<Panel> panels;
  bool lacks_totals = false;  ///< Days of which only totals are kept are missing in some numbers.
  std::string problem;        ///< In place of what could not be counted.
};

// The page in three pieces, so that the first can be seen before the second is counted.
[[nodiscard]] std::string render_overview(const Page& page);
[[nodiscard]] std::string render_panels(const Page& page);
[[nodiscard]] std::string render_end();

[[nodiscard]] std::string render_not_found();

}  // namespace analytics::share
