#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "common/url.h"
#include "daemon/model/link.h"
#include "daemon/model/query.h"
#include "daemon/share/page.h"
#include "daemon/stats/comparison.h"
#include "daemon/stats/period.h"

namespace analytics::share {

/// One way to look at the values of a panel.
struct PanelTab {
  const char* id;
  const char* name;
  Dimension dimension;
};

struct PanelKind {
  const char* id;
  const char* title;
  std::vector<PanelTab> tabs;  ///< None: what the visitors' props are called, and a tab each.
};

/// The id of the panel of funnels, by which a URL chooses one by name. It is none of panels().
inline constexpr char kFunnels[] = "funnels";

/// The state of a shared page, as its URL encodes it. An unknown period or panel is ignored. An
/// invalid filter is an error, because ignoring it would change the numbers.
class View {
 public:
  /// `path` is that of the page; `parameters` those of its URL, of which `auth` is good; `terms`
  /// those of the link that opened it.
  View(std::string path, Parameters parameters, const LinkTerms& terms, const Site& site,
       const std::vector<Goal>& goals, UnixSeconds now);

  [[nodiscard]] const Site& site() const { return site_; }
  [[nodiscard]] const Period& period() const { return period_; }
  [[nodiscard]] UnixSeconds now() const { return now_; }
  [[nodiscard]] const std::string& problem() const { return problem_; }
  [[nodiscard]] bool is_all_time() const { return period_name_ == "all"; }
  /// True for the half hour up to now.
  [[nodiscard]] bool is_realtime() const { return half_hour_.has_value(); }
  /// True if the period depends on the first day of which anything is known: see begin_at().
  [[nodiscard]] bool asks_for_begin() const { return is_all_time() || !is_chosen_; }
  /// All time begins then; who has chosen no period and knows nothing of past days is shown today.
  void begin_at(std::optional<UnixSeconds> known_from);

  /// "21 Nov 2026"
  [[nodiscard]] static std::string day_text(Days day);

  [[nodiscard]] static const std::vector<PanelKind>& panels();
  /// The panel's tab that is looked at; of the props' panel the key, empty for the first.
  [[nodiscard]] std::string tab(const PanelKind& panel) const;
  [[nodiscard]] bool is_expanded(const PanelKind& panel) const;
  /// Returns the page of the expanded panel that is looked at, from 0; search() is the text that
  /// its rows contain.
  [[nodiscard]] std::size_t page_of_rows() const;
  [[nodiscard]] std::string search() const;

  /// True if a filter asks for visitors who have met a goal: numbers are those of conversions.
  [[nodiscard]] bool is_of_conversions() const;
  [[nodiscard]] std::vector<Metric> totals() const;
  /// Returns the name of a metric, which is another one for conversions.
  [[nodiscard]] std::string label(Metric metric) const;
  [[nodiscard]] Metric metric() const { return metric_; }
  [[nodiscard]] Field interval() const;
  /// False if the numbers stand for themselves.
  [[nodiscard]] bool compares() const { return comparison_ && !is_all_time() && !is_realtime(); }
  /// True if they are compared with something else than the period before.
  [[nodiscard]] bool has_chosen_comparison() const { return find("compare") != nullptr; }
  /// "the period before", "1 Oct 2026 – 31 Oct 2026".
  [[nodiscard]] std::string compared_with() const;

  /// Queries for the period, and for the days that it is compared with.
  [[nodiscard]] Query query(std::vector<Metric> metrics,
                            std::vector<Dimension> dimensions = {}) const;
  [[nodiscard]] Query query_before(std::vector<Metric> metrics,
                                   std::vector<Dimension> dimensions = {}) const;

  /// Returns the query for visitors who are on the site now: of all that the link shows, whatever
  /// the URL filters. Errors: kInvalidParameter, if the link's filters mean nothing any more.
  [[nodiscard]] Result<Query> current_query() const;

  /// The URL of the page with one parameter changed; an empty value takes it away. What is searched
  /// for, and the page of rows, are only kept where that or another page is asked for.
  [[nodiscard]] std::string url(std::string_view name, std::string_view value) const;
  /// Returns the URL for another path below the page's own.
  [[nodiscard]] std::string url_below(std::string_view below, std::string_view name = {},
                                      std::string_view value = {}) const;
  /// Returns the URL for other days.
  [[nodiscard]] std::string url_of_days(Days first, Days last) const;
  /// With conditions that the dimensions are these values, in place of others on them.
  [[nodiscard]] std::string url_where(const std::vector<Dimension>& dimensions,
                                      const std::vector<std::string>& values) const;

  /// The parameters that a form must send beside its own.
  [[nodiscard]] Parameters parameters_without(std::initializer_list<std::string_view> names) const;
  [[nodiscard]] const std::string& path() const { return path_; }

  /// The choice of period, days and filters on the page.
  void fill(Page& page) const;

 private:
  [[nodiscard]] const std::string* find(std::string_view name) const;
  void read_period();
  void read_fixed_filters(const std::string& filters);
  void read_filters();
  /// Returns the conditions of the link and those of the URL.
  [[nodiscard]] Filter whole_filter() const;
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
  bool is_chosen_ = false;  ///< By the URL.
  Period period_;
  std::optional<TimeRange> half_hour_{};
  Filter fixed_filter_;     ///< The link's: nothing in the URL takes it away.
  bool is_broken_ = false;  ///< The link's filters mean nothing any more: nothing is shown.
  Filter filter_;           ///< The URL's.
  std::optional<Comparison> comparison_{Comparison{}};
  std::string problem_;
  Metric metric_ = Metric::kVisitors;
};

}  // namespace analytics::share
