#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/url.h"
#include "daemon/model/query.h"
#include "daemon/share/page.h"
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

/// The state of a shared page, as its URL encodes it. An unknown period or panel is ignored. An
/// invalid filter is an error, because ignoring it would change the numbers.
class View {
 public:
  /// `path` is that of the page; `parameters` those of its URL, of which `auth` is good.
  View(std::string path, Parameters parameters, const Site& site, const std::vector<Goal>& goals,
       UnixSeconds now);

  [[nodiscard]] const Site& site() const { return site_; }
  [[nodiscard]] const Period& period() const { return period_; }
  [[nodiscard]] UnixSeconds now() const { return now_; }
  [[nodiscard]] const std::string& problem() const { return problem_; }
  [[nodiscard]] bool is_all_time() const { return period_name_ == "all"; }
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

  /// True if a filter asks for visitors who have met a goal: numbers are those of conversions.
  [[nodiscard]] bool is_of_conversions() const;
  [[nodiscard]] std::vector<Metric> totals() const;
  /// What a metric is called, which is another thing for conversions.
  [[nodiscard]] std::string label(Metric metric) const;
  [[nodiscard]] Metric metric() const { return metric_; }
  [[nodiscard]] Field interval() const;

  /// Queries for the period, and for as many days before it.
  [[nodiscard]] Query query(std::vector<Metric> metrics,
                            std::vector<Dimension> dimensions = {}) const;
  [[nodiscard]] Query query_before(std::vector<Metric> metrics,
                                   std::vector<Dimension> dimensions = {}) const;

  /// The URL of the page with one parameter changed; an empty value takes it away.
  [[nodiscard]] std::string url(std::string_view name, std::string_view value) const;
  /// Returns the URL for another path below the page's own.
  [[nodiscard]] std::string url_below(std::string_view below, std::string_view name = {},
                                      std::string_view value = {}) const;
  /// With conditions that the dimensions are these values, in place of others on them.
  [[nodiscard]] std::string url_where(const std::vector<Dimension>& dimensions,
                                      const std::vector<std::string>& values) const;

  /// The choice of period, days and filters on the page.
  void fill(Page& page) const;

 private:
  [[nodiscard]] const std::string* find(std::string_view name) const;
  void read_period();
  void read_filters();
  [[nodiscard]] std::string url_of(const Parameters& parameters, std::string_view below = {}) const;
  [[nodiscard]] std::string url_of_days(Days first, Days last) const;
  [[nodiscard]] std::string filters_json(const std::vector<Filter>& parts) const;
  void fill_days(Page& page) const;

  std::string path_;
  Parameters parameters_;
  Site site_;
  std::vector<Goal> goals_;
  UnixSeconds now_;
  Days today_{};
  std::string period_name_ = "30d";
  bool is_chosen_ = false;  ///< By the URL.
  Period period_;
  Filter filter_;
  std::string problem_;
  Metric metric_ = Metric::kVisitors;
};

}  // namespace analytics::share
