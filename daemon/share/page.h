#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "daemon/share/embedding.h"
#include "daemon/web/html.h"

/// The page that a shared link opens, as HTML. It works without its script, which only updates the
/// numbers. Pure: the caller gives every text and number, and every link leads to another state of
/// the page.
namespace analytics::share {

struct Link {
  std::string text;
  std::string href;
  bool is_current = false;
  const char* key = "";  ///< Keyboard shortcut; empty: none.
};

/// One of the totals, and how it compares with the preceding period.
struct Tile {
  Link link;  ///< Shows this metric in the chart.
  std::string value;
  std::string change;         ///< "+12%"; empty: none.
  const char* tone = "same";  ///< Or "better", "worse".
};

struct Bar {
  std::string tick;   ///< Under the chart: "21 Nov".
  std::string label;  ///< "Sat 21 Nov"
  std::string text;   ///< "1,204"; empty: the bucket lies in the future.
  double value = 0;
  std::string href{};       ///< Limits the page to the bar's days; empty: none.
  bool is_running = false;  ///< The bucket has begun and is not over.
  /// The corresponding bucket of the preceding period.
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
  double share = 0;  ///< Its height relative to the full height.
  std::string text;
};

struct Chart {
  std::string metric;
  std::vector<Bar> bars;
  std::vector<GridLine> lines;  ///< From the top.
  double top_value = 1;         ///< The value at the full height.
  std::string csv;
};

struct PanelRow {
  std::string name;
  std::string href;  ///< Filters by this row; empty: none.
  std::vector<std::string> numbers;
  double share = 0;  ///< The row's length relative to the longest row.
};

/// A country on the map.
struct MapShape {
  std::string code;
  std::string href;   ///< Filters by this country.
  std::string label;  ///< "Germany: 1,841"
  int shade = 1;      ///< 1 to 5: more visitors are darker.
};

struct Panel {
  std::string id;
  std::string title;
  std::vector<Link> tabs;
  std::vector<std::string> columns;  ///< Headings: first of the names, then of the numbers.
  std::vector<PanelRow> rows;
  std::string csv;
  Link more;  ///< Expands the panel, or collapses it; empty: no link.
  /// Search and paging, which only an expanded panel has.
  struct Whole {
    std::string search;  ///< Only rows that contain this text are shown; empty: all.
    std::string action;
    std::vector<std::pair<std::string, std::string>> form;  ///< Hidden fields of the search form.
    std::string count;                                      ///< "1 to 100 of 12,000"
    Link before;  ///< The previous page of rows; empty: none.
    Link after;
  };
  std::optional<Whole> whole{};
  std::string note{};           ///< Text below the rows; empty: none.
  std::vector<MapShape> map{};  ///< Countries of the map above the rows; empty: no map.
};

struct Page {
  std::string domain;
  std::string title;  ///< "example.com – 30 days"
  Embedding embedding{};
  std::vector<Link> siblings{};  ///< Pages of all sites and of each site that the link opens.
  std::string dates;             ///< "23 Oct – 21 Nov 2026, Europe/Berlin"
  std::string live;              ///< URL that returns the number of current visitors.
  std::optional<std::int64_t> current_visitors{};  ///< nullopt: they could not be counted.
  bool is_live = false;                            ///< The period is not over yet.
  bool is_realtime = false;                        ///< The period is the last 30 minutes.
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
  Link weekdays{};                ///< Aligns the compared period by day of the week; empty: cannot.
  /// The form that chooses days to compare with: hidden fields, then its first and last day.
  std::vector<std::pair<std::string, std::string>> compare_form;
  std::string compared_first;
  std::string compared_last;
  std::string compared_with;                 ///< "the period before"
  bool lacks_before = false;                 ///< The chosen period to compare with has no visitors.
  std::vector<std::string> fixed_filters{};  ///< Filters of the link, as texts.
  std::vector<Link> filters;                 ///< Filters of the URL; each link removes its filter.
  Link no_filters;                           ///< Removes all filters; empty: no filter is set.
  /// Hidden fields of the form that adds a filter.
  std::vector<std::pair<std::string, std::string>> filter_form;
  std::vector<Tile> tiles;
  Chart chart;
  std::vector<Panel> panels;
  bool lacks_totals = false;   ///< Some numbers leave out days for which only totals are kept.
  bool has_imports = false;    ///< Some numbers include imported totals.
  bool lacks_imports = false;  ///< Some numbers leave out imported totals.
  std::vector<std::string> caveats{};  ///< Sentences that qualify the totals.
  std::string problem;                 ///< Error shown in place of missing numbers; empty: none.
  /// Shown in place of all numbers while the site has never had an event.
  struct Empty {
    std::string snippet;  ///< The script tag to add to the site's pages.
    /// Events of the last days that were not counted: their number, and the reason.
    std::vector<std::pair<std::string, std::string>> drops;
  };
  std::optional<Empty> empty{};
};

// The page in three pieces. Browsers show the first while the second is counted.
[[nodiscard]] std::string render_overview(const Page& page);
[[nodiscard]] std::string render_panels(const Page& page);
[[nodiscard]] std::string render_end();

/// Returns the beginning of every page, up to its body.
[[nodiscard]] web::Html head(const std::string& title, const Embedding& embedding = {});

/// Returns the page that asks for a link's password. `problem`: why the last try failed; empty:
/// none.
[[nodiscard]] std::string render_password_form(const std::string& action,
                                               const Embedding& embedding,
                                               const std::string& problem);
[[nodiscard]] std::string render_not_found();

}  // namespace analytics::share
