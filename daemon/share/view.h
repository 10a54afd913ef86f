#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "common/text/url.h"
#include "daemon/model/link.h"
#include "daemon/model/query.h"
#include "daemon/share/page.h"
#include "daemon/stats/comparison.h"
#include "daemon/stats/period.h"

namespace analytics::share {

/// A tab of a panel, which lists the values of a dimension, such as all browsers.
struct PanelTab {
  const char* id;
  const char* name;
  Dimension dimension;
};

struct PanelKind {
  const char* id;
  const char* title;
  std::vector<PanelTab> tabs;  ///< Tabs of the panel; empty if it has a tab for each property key.
};

/// Id of the panel of funnels, which View::panels() does not contain, and name of the URL parameter
/// that selects a funnel.
inline constexpr char kFunnels[] = "funnels";

/// The state of a shared page, as its URL encodes it. An unknown period or panel is ignored. An
/// invalid filter is an error, because ignoring it would change the numbers.
class View {
 public:
  /// `path`: path of the page's URL. `parameters`: parameters of the URL. `terms`: terms of the
  /// link that opened the page. REQUIRES: `parameters` has `auth`, the link's token.
  View(std::string path, Parameters parameters, const LinkTerms& terms, const Site& site,
       const std::vector<Goal>& goals, UnixSeconds now);

  [[nodiscard]] const Site& site() const { return site_; }
  [[nodiscard]] const Period& period() const { return period_; }
  [[nodiscard]] UnixSeconds now() const { return now_; }
  [[nodiscard]] Days today() const { return today_; }
  /// Returns an error message for the viewer about the filters or the days; empty if they are
  /// valid.
  [[nodiscard]] const std::string& problem() const { return problem_; }
  /// Returns true if the link has filters, which limit everything shown.
  [[nodiscard]] bool is_limited() const { return is_limited_; }
  [[nodiscard]] bool is_all_time() const { return period_name_ == "all"; }
  /// Returns true if the period is the last 30 minutes.
  [[nodiscard]] bool is_realtime() const { return half_hour_.has_value(); }
  /// Returns true if the period depends on the first day with data. begin_at() must then be called
  /// before any query.
  [[nodiscard]] bool asks_for_begin() const { return is_all_time() || !is_chosen_; }
  /// Sets the time from which the site has data; nullopt if it has no data. The period "all time"
  /// begins at that time. If no period was chosen and the site has no data before today, the period
  /// becomes today.
  void begin_at(std::optional<UnixSeconds> known_from);

  /// Returns the day as "21 Nov 2026".
  [[nodiscard]] static std::string day_text(Days day);

  [[nodiscard]] static const std::vector<PanelKind>& panels();
  /// Returns the id of the panel's selected tab. For the panel of properties, returns the selected
  /// key; empty if the URL selects none, so that the most common key is shown.
  [[nodiscard]] std::string tab(const PanelKind& panel) const;
  [[nodiscard]] bool is_expanded(const PanelKind& panel) const;
  /// Returns which page of rows the expanded panel shows, counted from 0.
  [[nodiscard]] std::size_t page_of_rows() const;
  /// Returns the text that the rows of the expanded panel must contain; empty for any row.
  [[nodiscard]] std::string search() const;

  /// Returns true if the URL's filter has a condition on a goal. The page then shows conversions.
  [[nodiscard]] bool is_of_conversions() const;
  /// Returns the metrics that the page shows as totals above the chart.
  [[nodiscard]] std::vector<Metric> totals() const;
  /// Returns the label of a metric on the page: "Visitors", or "Converted" if is_of_conversions().
  [[nodiscard]] std::string label(Metric metric) const;
  /// Returns the metric that the chart shows.
  [[nodiscard]] Metric metric() const { return metric_; }
  /// Returns the length of the chart's time buckets, such as Field::kDay.
  [[nodiscard]] Field interval() const;
  /// Returns true if the page compares its numbers with those of another period.
  [[nodiscard]] bool compares() const { return comparison_ && !is_all_time() && !is_realtime(); }
  /// Returns true if the URL has the parameter `compare`. Without it, the page compares with the
  /// preceding period.
  [[nodiscard]] bool has_chosen_comparison() const { return find("compare") != nullptr; }
  /// Returns the period to compare with in words: "the period before", "1 Oct 2026 – 31 Oct 2026".
  [[nodiscard]] std::string compared_with() const;

  /// Returns a query under the filters of the link and of the URL, for the period; query_before()
  /// returns the same query for the period to compare with.
  [[nodiscard]] Query query(std::vector<Metric> metrics,
                            std::vector<Dimension> dimensions = {}) const;
  [[nodiscard]] Query query_before(std::vector<Metric> metrics,
                                   std::vector<Dimension> dimensions = {}) const;

  /// Returns a query for the number of events on each day of the period, under the filters of the
  /// link but not those of the URL.
  [[nodiscard]] Query days_query() const;

  /// Returns a query for the number of current visitors, under the filters of the link but not
  /// those of the URL. Errors: kInvalidParameter if the link's filters are no longer valid.
  [[nodiscard]] Result<Query> current_query() const;

  /// Returns the URL of the page with one parameter changed; an empty value removes it. Unless
  /// `name` is "page", also goes back to the first page of rows and removes the search.
  [[nodiscard]] std::string url(std::string_view name, std::string_view value) const;
  /// Returns the URL of url(), but with `below`, such as "/csv", appended to the page's path.
  [[nodiscard]] std::string url_below(std::string_view below, std::string_view name = {},
                                      std::string_view value = {}) const;
  /// Returns the URL of the page for the days from `first` to `last`.
  [[nodiscard]] std::string url_of_days(Days first, Days last) const;
  /// Returns the URL of the page filtered to events whose `dimensions[i]` is `values[i]`, for each
  /// i. Replaces other filters on these dimensions and keeps the rest.
  [[nodiscard]] std::string url_where(const std::vector<Dimension>& dimensions,
                                      const std::vector<std::string>& values) const;

  /// Returns the parameters of the URL except `names`, for the hidden fields of a form.
  [[nodiscard]] Parameters parameters_without(std::initializer_list<std::string_view> names) const;
  [[nodiscard]] const std::string& path() const { return path_; }

  /// Sets the members of `page` that need no query: title, periods, days, filters, comparisons.
  void fill(Page& page) const;

 private:
  [[nodiscard]] const std::string* find(std::string_view name) const;
  std::optional<Period> days_between(std::string_view from, std::string_view to);
  void read_period();
  void read_fixed_filters(const std::string& filters);
  void read_filters();
  [[nodiscard]] Result<nlohmann::json> sent_condition() const;
  void read_comparison();
  [[nodiscard]] std::string url_of(const Parameters& parameters, std::string_view below = {}) const;
  [[nodiscard]] std::string filters_json(const std::vector<Filter>& parts) const;
  [[nodiscard]] Field usual_interval() const;
  [[nodiscard]] bool can_be_by(Field interval) const;
  void fill_days(Page& page) const;
  void fill_choices(Page& page) const;

  std::string path_;
  Parameters parameters_;
  Site site_;
  std::vector<Goal> goals_;
  UnixSeconds now_;
  Days today_{};
  std::string period_name_ = "30d";
  bool is_chosen_ = false;  ///< True if the URL or the link sets the period.
  Period period_;
  std::optional<TimeRange> half_hour_{};  ///< The last 30 minutes, if they are the period.
  bool is_limited_ = false;
  Filter limits_;           ///< Filters of the link; `filter_` applies in addition.
  bool is_broken_ = false;  ///< True if the link's filters are no longer valid; nothing is shown.
  Filter filter_;           ///< Filter of the URL.
  std::optional<Comparison> comparison_{Comparison{}};
  std::string problem_;
  Metric metric_ = Metric::kVisitors;
};

}  // namespace analytics::share
