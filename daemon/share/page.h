#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/text/html.h"
#include "daemon/share/embedding.h"

/// The page that a shared link opens, as HTML. It works without its script, which only updates the
/// numbers. Pure: the caller supplies every text and number. Every link leads to another state of
/// the page.
namespace analytics::share {

struct Link {
  std::string text;
  std::string href;
  bool is_current = false;
  const char* key = "";  ///< Keyboard shortcut; empty: none.
};

/// A metric's total over the period, and its change since the compared period.
struct Tile {
  Link link;  ///< Link that shows this metric in the chart.
  std::string value;
  std::string change;         ///< Change since the compared period: "+12%"; empty: unknown.
  const char* tone = "same";  ///< Style of the change: "same", "better" or "worse".
};

struct Bar {
  std::string tick;   ///< Short label below the chart: "21 Nov".
  std::string label;  ///< Full label in the tooltip and the table: "Sat 21 Nov".
  std::string text;   ///< The value as text: "1,204"; empty: the bucket lies in the future.
  double value = 0;
  std::string href{};       ///< URL that limits the page to the bar's days; empty: no link.
  bool is_running = false;  ///< True if the bucket has begun and is not over.
  /// The corresponding bucket of the compared period.
  struct Before {
    std::string label;
    std::string text;
    double value = 0;
    std::string change;  ///< From here to the bar's own value: "+12%"; empty: unknown.
  };
  std::optional<Before> before{};
};

/// A horizontal line across the chart.
struct GridLine {
  double share = 0;  ///< Height of the line as a share of the chart's height, 0 to 1.
  std::string text;
};

struct Chart {
  std::string metric;
  std::vector<Bar> bars;
  std::vector<GridLine> lines;  ///< Grid lines from top to bottom.
  double top_value = 1;         ///< Value that a bar of full height stands for.
  std::string csv;
};

struct PanelRow {
  std::string name;
  std::string href;  ///< URL that filters the page by this row; empty: no link.
  std::vector<std::string> numbers;
  double share = 0;  ///< Length of the row's bar relative to the longest bar, 0 to 1.
};

/// A country on the map.
struct MapShape {
  std::string code;
  std::string href;   ///< URL that filters the page by this country.
  std::string label;  ///< Tooltip: "Germany: 1,841".
  int shade = 1;      ///< From 1 (few visitors, light) to 5 (most visitors, dark).
};

struct Panel {
  std::string id;
  std::string title;
  std::vector<Link> tabs;
  std::vector<std::string> columns;  ///< Headings: that of the names, then those of the numbers.
  std::vector<PanelRow> rows;
  std::string csv;
  Link more;  ///< Link that expands or collapses the panel; empty: no link.
  /// Search and paging of the rows, which only an expanded panel has.
  struct Whole {
    std::string search;  ///< Only rows that contain this text are shown; empty: all.
    std::string action;
    std::vector<std::pair<std::string, std::string>> form;  ///< Hidden fields of the search form.
    std::string count;  ///< Numbers of the rows shown: "1 to 100 of 12,000".
    Link before;        ///< Link to the previous page of rows; empty: no link.
    Link after;
  };
  std::optional<Whole> whole{};
  std::string note{};           ///< Text below the rows; empty: none.
  std::vector<MapShape> map{};  ///< Countries of the map above the rows; empty: no map.
};

struct Page {
  std::string domain;
  std::string title;  ///< Title of the browser's tab: "example.com – 30 days".
  Embedding embedding{};
  /// Links to all pages that an account's link opens; empty if a site's link opened the page.
  std::vector<Link> siblings{};
  std::string dates;  ///< Period and zone: "23 Oct 2026 – 21 Nov 2026, Europe/Berlin".
  std::string live;   ///< URL that returns the number of current visitors.
  std::optional<std::int64_t> current_visitors{};  ///< Visitors now; nullopt: counting failed.
  bool is_live = false;  ///< True if the period is not over yet, so that its numbers still change.
  bool is_realtime = false;  ///< True if the period is the last 30 minutes.
  std::vector<Link> periods;
  /// Links to the preceding and the following period of the same length; empty: no link.
  Link earlier;
  Link later;
  std::string first_day;  ///< First day of the period, "2026-11-01", in the form that chooses days.
  std::string last_day;
  std::string action;
  /// Hidden fields of the form that chooses days: the other parameters of the URL.
  std::vector<std::pair<std::string, std::string>> form;
  std::vector<Link> intervals;    ///< Choices of the chart's interval.
  std::vector<Link> comparisons;  ///< Choices of the period to compare with.
  Link weekdays{};  ///< Link that aligns the compared period by weekday; empty: not offered.
  /// Hidden fields of the form that chooses days to compare with, then its first and last day.
  std::vector<std::pair<std::string, std::string>> compare_form;
  std::string compared_first;
  std::string compared_last;
  std::string compared_with;  ///< The compared period in words: "the period before".
  bool lacks_before = false;  ///< True if the period chosen for comparison has no visitors.
  std::vector<std::string> fixed_filters{};  ///< Filters of the shared link, in words.
  std::vector<Link> filters;                 ///< Filters of the URL; each link removes its filter.
  Link no_filters;  ///< Link that removes all filters of the URL; empty: no filter is set.
  /// Hidden fields of the form that adds a filter.
  std::vector<std::pair<std::string, std::string>> filter_form;
  std::vector<Tile> tiles;
  Chart chart;
  std::vector<Panel> panels;
  /// True if some numbers leave out days for which only totals are kept.
  bool lacks_totals = false;
  bool has_imports = false;            ///< True if some numbers include imported totals.
  bool lacks_imports = false;          ///< True if some numbers leave out imported totals.
  std::vector<std::string> caveats{};  ///< Warnings about the totals, a sentence each.
  std::string problem;                 ///< Error shown in place of missing numbers; empty: none.
  /// Content shown in place of all numbers while the site has never had an event.
  struct Empty {
    std::string snippet;  ///< The script tag to add to the site's pages.
    /// Events dropped in the last 7 days: their number and the reason, as text.
    std::vector<std::pair<std::string, std::string>> drops;
  };
  std::optional<Empty> empty{};
};

// These render the page in three pieces. Browsers show the first while the second is counted.
[[nodiscard]] std::string render_overview(const Page& page);
[[nodiscard]] std::string render_panels(const Page& page);
[[nodiscard]] std::string render_end();

/// Returns the beginning of an HTML page, up to and including `</head>`.
[[nodiscard]] Html head(const std::string& title, const Embedding& embedding = {});

/// Returns the page that asks for a link's password. `problem`: why the last try failed; empty:
/// first try.
[[nodiscard]] std::string render_password_form(const std::string& action,
                                               const Embedding& embedding,
                                               const std::string& problem);
[[nodiscard]] std::string render_not_found();

}  // namespace analytics::share
