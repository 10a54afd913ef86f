#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/text/html.h"
#include "daemon/share/embedding.h"

/// Renders the page that a shared link opens as HTML. Pure: the caller supplies every text and
/// number. Every choice on the page is a link or a form, so that the page works without its script,
/// which only updates the numbers.
namespace analytics::share {

struct Link {
  std::string text;
  std::string href;
  bool is_current = false;
  const char* key = "";  ///< Keyboard shortcut; empty if there is no shortcut.
};

/// A metric's total over the page's period, and its change since the period that it is compared
/// with.
struct Tile {
  Link link;  ///< Link that shows this metric in the chart.
  std::string value;
  std::string change;         ///< Change of the total: "+12%"; empty if unknown.
  const char* tone = "same";  ///< CSS class of the change: "same", "better" or "worse".
};

struct Bar {
  std::string tick;   ///< Short label below the chart: "21 Nov".
  std::string label;  ///< Full label in the tooltip and the table: "Sat 21 Nov".
  std::string text;   ///< The value as text: "1,204"; empty if the bucket lies in the future.
  double value = 0;
  std::string href{};       ///< URL that limits the page to the bar's days; empty for no link.
  bool is_running = false;  ///< True if the bucket has begun and is not over.
  /// Corresponding time bucket of the period that the page's period is compared with.
  struct Before {
    std::string label;
    std::string text;
    double value = 0;
    std::string change;  ///< Change from this value to the bar's: "+12%"; empty if unknown.
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
  std::string csv;              ///< URL of the chart's numbers as a CSV file.
};

struct PanelRow {
  std::string name;
  std::string href;  ///< URL that filters the page by this row; empty for no link.
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
  std::vector<std::string> columns;  ///< Headings: of the names first, then of the numbers.
  std::vector<PanelRow> rows;
  std::string csv;  ///< URL of the panel's rows as a CSV file.
  Link more;        ///< Link that expands or collapses the panel; empty for no link.
  /// Parts that only an expanded panel has: the search form and links to further rows.
  struct Whole {
    std::string search;  ///< Only rows that contain this text are shown; empty for all rows.
    std::string action;  ///< URL that the search form opens.
    std::vector<std::pair<std::string, std::string>> form;  ///< Hidden fields of the search form.
    std::string count;  ///< Numbers of the rows shown: "1 to 100 of 12,000".
    Link before;        ///< Link to the previous page of rows; empty for no link.
    Link after;
  };
  std::optional<Whole> whole{};
  std::string note{};           ///< Text below the rows; may be empty.
  std::vector<MapShape> map{};  ///< Countries of the map above the rows; empty for no map.
};

struct Page {
  std::string domain;
  std::string title;  ///< Title of the browser's tab: "example.com – 30 days".
  Embedding embedding{};
  /// Menu of all pages that an account's link opens; empty if the link is a site's.
  std::vector<Link> siblings{};
  std::string dates;  ///< Period and zone: "23 Oct 2026 – 21 Nov 2026, Europe/Berlin".
  std::string live;   ///< URL that returns the number of current visitors.
  std::optional<std::int64_t> current_visitors{};  ///< Visitors now; nullopt if counting failed.
  bool is_live = false;  ///< True if the period is not over yet, so that its numbers still change.
  bool is_realtime = false;   ///< True if the period is the last 30 minutes.
  std::vector<Link> periods;  ///< Choices of the period: "Today", "7 days".
  /// Links to the preceding and to the following period of the same length; empty for no link.
  Link earlier;
  Link later;
  std::string first_day;  ///< First day of the period in the form that chooses days: "2026-11-01".
  std::string last_day;
  std::string action;  ///< URL that the forms of the page open.
  /// Hidden fields of the form that chooses days: the other parameters of the URL.
  std::vector<std::pair<std::string, std::string>> form;
  std::vector<Link> intervals;    ///< Choices of the chart's interval.
  std::vector<Link> comparisons;  ///< Choices of the period to compare with.
  /// Link that switches whether the period to compare with begins on the same weekday; empty for no
  /// link.
  Link weekdays{};
  /// Hidden fields of the form that chooses the days to compare with.
  std::vector<std::pair<std::string, std::string>> compare_form;
  std::string compared_first;  ///< First day of the period to compare with: "2026-10-01".
  std::string compared_last;
  std::string compared_with;  ///< The period to compare with, in words: "the period before".
  bool lacks_before = false;  ///< True if the period chosen for comparison has no visitors.
  std::vector<std::string> fixed_filters{};  ///< Filters of the shared link, in words.
  std::vector<Link> filters;                 ///< Filters of the URL; each link removes its filter.
  Link no_filters;  ///< Link that removes all filters of the URL; empty if no filter is set.
  /// Hidden fields of the form that adds a filter.
  std::vector<std::pair<std::string, std::string>> filter_form;
  std::vector<Tile> tiles;
  Chart chart;
  std::vector<Panel> panels;
  /// True if some numbers leave out days of which only daily totals are kept.
  bool lacks_totals = false;
  bool has_imports = false;            ///< True if some numbers include imported daily totals.
  bool lacks_imports = false;          ///< True if some numbers leave out imported daily totals.
  std::vector<std::string> caveats{};  ///< Limits to the accuracy of the totals, a sentence each.
  std::string problem;  ///< Error shown in place of missing numbers; empty if there is no error.
  /// Content shown in place of all numbers while the site has never had an event.
  struct Empty {
    std::string snippet;  ///< The script tag to add to the site's pages.
    /// Events dropped in the last 7 days: a pair of number and reason, both as text.
    std::vector<std::pair<std::string, std::string>> drops;
  };
  std::optional<Empty> empty{};
};

/// Render the page in three pieces, to be sent in this order. Browsers show the first piece while
/// the numbers of the second are counted.
[[nodiscard]] std::string render_overview(const Page& page);
[[nodiscard]] std::string render_panels(const Page& page);
[[nodiscard]] std::string render_end();

/// Returns the beginning of an HTML page, up to and including `</head>`.
[[nodiscard]] Html head(const std::string& title, const Embedding& embedding = {});

/// Returns the page that asks for a link's password. `problem`: why the last try failed; empty for
/// the first try.
[[nodiscard]] std::string render_password_form(const std::string& action,
                                               const Embedding& embedding,
                                               const std::string& problem);
[[nodiscard]] std::string render_not_found();

}  // namespace analytics::share
