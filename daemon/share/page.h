#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "daemon/share/embedding.h"
#include "daemon/web/html.h"

/// The page behind a shared link: HTML that is whole without its script, which only keeps it live.
/// Pure: every text and number is given, every link is a state of the page.
namespace analytics::share {

struct Link {
  std::string text;
  std::string href;
  bool is_current = false;
  const char* key = "";  ///< A key for it; empty: none.
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
  std::string text;   ///< "1,204"; empty: its time is still to come.
  double value = 0;
  std::string href{};       ///< Shows its days alone; empty: none.
  bool is_running = false;  ///< Its time is not over.
  /// The bucket in the same place of the preceding period.
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
  double top_value = 1;         ///< The value that the full height stands for.
  std::string csv;
};

struct PanelRow {
  std::string name;
  std::string href;  ///< Sets the filter; empty: none.
  std::vector<std::string> numbers;
  double share = 0;  ///< The row's length relative to the longest row.
};

/// A country of a map, by its code.
struct MapShape {
  std::string code;
  std::string href;   ///< Sets the filter.
  std::string label;  ///< "Germany: 1,841"
  int shade = 1;      ///< 1 to 5: more visitors are darker.
};

struct Panel {
  std::string id;
  std::string title;
  std::vector<Link> tabs;
  std::vector<std::string> columns;  ///< The headings: of the row's name, then of its numbers.
  std::vector<PanelRow> rows;
  std::string csv;
  Link more;  ///< All rows and numbers, or fewer; empty: there are none.
  /// Parts that only a panel has that is alone in its line.
  struct Whole {
    std::string search;  ///< All rows contain it.
    std::string action;
    std::vector<std::pair<std::string, std::string>>
        form;           ///< These fields are sent with the search.
    std::string count;  ///< "1 to 100 of 12,000"
    Link before;        ///< Other rows; empty: none.
    Link after;
  };
  std::optional<Whole> whole{};
  std::string note{};           ///< Below the rows; empty: none.
  std::vector<MapShape> map{};  ///< Above the rows; empty: none.
};

struct Page {
  std::string domain;
  std::string title;  ///< "example.com – 30 days"
  Embedding embedding{};
  std::vector<Link> siblings{};  ///< The page of all sites, and that of each; none: this alone.
  std::string dates;             ///< "23 Oct – 21 Nov 2026, Europe/Berlin"
  std::string live;              ///< URL that returns the number of current visitors.
  std::optional<std::int64_t> current_visitors{};  ///< None: they could not be counted.
  bool is_live = false;                            ///< The period is not over yet.
  bool is_realtime = false;                        ///< It is the half hour up to now.
  std::vector<Link> periods;
  /// Links to the preceding and the following period of the same length; empty: none.
  Link earlier;
  Link later;
  std::string first_day;  ///< For the choice of days.
  std::string last_day;
  std::string action;
  /// The other parameters that the form keeps.
  std::vector<std::pair<std::string, std::string>> form;
  std::vector<Link> intervals;    ///< Choices for the chart.
  std::vector<Link> comparisons;  ///< Choices of what the numbers are compared with.
  Link weekdays{};                ///< Compares each with the same day of a week; empty: it cannot.
  /// For the choice of days to compare with: what is sent beside them, and those that are.
  std::vector<std::pair<std::string, std::string>> compare_form;
  std::string compared_first;
  std::string compared_last;
  std::string compared_with;                 ///< "the period before"
  bool lacks_before = false;                 ///< Which has no numbers.
  std::vector<std::string> fixed_filters{};  ///< Those of the link.
  std::vector<Link> filters;                 ///< Each takes itself away.
  Link no_filters;                           ///< Takes all away; empty: there are none.
  /// For a filter more: what is sent beside it.
  std::vector<std::pair<std::string, std::string>> filter_form;
  std::vector<Tile> tiles;
  Chart chart;
  std::vector<Panel> panels;
  bool lacks_totals = false;   ///< Days of which only totals are kept are missing in some numbers.
  bool has_imports = false;    ///< Some of its days are totals that were imported,
  bool lacks_imports = false;  ///< and are missing in some numbers.
  std::vector<std::string> caveats{};  ///< What a reader has to know of the totals: sentences.
  std::string problem;                 ///< In place of what could not be counted.
  /// In place of all numbers, where no event ever came.
  struct Empty {
    std::string snippet;  ///< For the pages of the site.
    /// Events of the last days that were not counted: how many, and why.
    std::vector<std::pair<std::string, std::string>> drops;
  };
  std::optional<Empty> empty{};
};

// The page in three pieces, so that the first can be seen before the second is counted.
[[nodiscard]] std::string render_overview(const Page& page);
[[nodiscard]] std::string render_panels(const Page& page);
[[nodiscard]] std::string render_end();

/// The beginning of every page, up to its body.
[[nodiscard]] web::Html head(const std::string& title, const Embedding& embedding = {});

/// The page of a link that has a password. `problem`: of the last try; empty: none.
[[nodiscard]] std::string render_password_form(const std::string& action,
                                               const Embedding& embedding,
                                               const std::string& problem);
[[nodiscard]] std::string render_not_found();

}  // namespace analytics::share
