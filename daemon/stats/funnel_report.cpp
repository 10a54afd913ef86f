#include "daemon/stats/funnel_report.h"

#include <algorithm>
#include <cmath>

#include "daemon/stats/filter_rules.h"
#include "daemon/stats/stored_values.h"

namespace analytics {
namespace {

/// Returns the step's label: the name of the site's goal with the same type and value if there is
/// one, else the default name.
std::string label_of(const Goal& step, const std::vector<Goal>& goals) {
  const auto found = std::find_if(goals.begin(), goals.end(), [&](const Goal& goal) {
    return goal.type == step.type && goal.value == step.value;
  });
  return goal_name(found == goals.end() ? step : *found);
}

}  // namespace

Result<Funnel> find_funnel(SiteId site, const std::string& name, store::RegistryReader& registry) {
  const auto funnels = TRY(registry.list_funnels(site));
  for (const auto& funnel : funnels) {
    if (funnel.name == name) return funnel;
  }
  return fail(ErrorCode::kFunnelNotFound, "The site has no funnel with this name.");
}

Result<FunnelReport> count_funnel(const Funnel& funnel, const Selection& selection,
                                  store::StatsStore& store) {
  FunnelQuery query{selection, funnel.within, {}};
  query.selection.filter = with_stored_values(of_whole_visits(selection.filter));
  query.selection.view = with_stored_values(selection.view);
  for (const auto& step : funnel.steps) query.steps.push_back(goal_of(step));
  const auto found = TRY(store.funnel(query));
  const auto& visitors = found.visitors;
  FunnelReport report{funnel.name, funnel.within, {}};
  report.caveats.removal_running = found.removal_running;
  report.caveats.recognition_lost = found.recognition_lost;
  for (std::size_t i = 0; i < query.steps.size(); ++i) {
    const auto here = visitors[i];
    const auto whole = static_cast<double>(visitors.front());
    const auto rate = whole == 0 ? 0 : std::round(10'000 * static_cast<double>(here) / whole) / 100;
    report.steps.push_back({label_of(query.steps[i], selection.goals), here, rate,
                            i == 0 ? 0 : visitors[i - 1] - here});
  }
  return report;
}

}  // namespace analytics
