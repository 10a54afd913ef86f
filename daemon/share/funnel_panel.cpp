#include "daemon/share/funnel_panel.h"

#include <algorithm>
#include <set>

#include "common/text/csv.h"
#include "common/text/grouped.h"
#include "daemon/share/value_text.h"
#include "daemon/stats/funnel_report.h"
#include "daemon/stats/stored_values.h"

namespace analytics::share {
namespace {

/// The funnels that the link shows, and the report on the chosen funnel.
struct Shown {
  std::vector<std::string> names;  ///< Names of the funnels; if empty, there is no report.
  FunnelReport report;
};

/// Returns the funnel that the URL names, or else the first. REQUIRES: `all` is not empty.
const Funnel& chosen(const View& view, const std::vector<Funnel>& all) {
  const auto name = view.tab({kFunnels, "", {}});
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Funnel& each) { return each.name == name; });
  return found == all.end() ? all.front() : *found;
}

/// Returns the funnels whose every step occurs among the events that the link shows. Leaves out the
/// others, because their names and steps could reveal events that the link's filters hide.
Result<std::vector<Funnel>> with_known_steps(const View& view, const std::vector<Funnel>& all,
                                             store::StatsStore& store) {
  auto selection = view.query({}).selection;
  selection.filter = {};  // only the filters of the link count, not those of the URL
  selection.view = with_stored_values(std::move(selection.view));
  selection.with_imports = false;
  // The steps are goals of the grouping only, not of the selection, so that the link's own
  // conditions on goals cannot match them.
  Grouping by_step;
  by_step.dimensions = {{{Field::kGoal, {}}}};
  std::set<std::string> named;
  for (const auto& funnel : all) {
    for (const auto& step : funnel.steps) {
      auto name = to_json({step});
      if (named.insert(name).second) by_step.goals.push_back({std::move(name), {goal_of(step)}});
    }
  }
  std::set<std::string> taken;
  const Aggregation aggregation{std::move(selection), {std::move(by_step)}};
  TRY(store.run({&aggregation, 1}, [&](auto found) {
    auto& groups = *found.front().groups.front();
    for (std::size_t i = 0; i < groups.size(); ++i) {
      taken.insert(groups.text(0, groups.value(i, 0)));
    }
  }));
  std::vector<Funnel> known;
  for (const auto& funnel : all) {
    const bool is_known =
        std::all_of(funnel.steps.begin(), funnel.steps.end(),
                    [&](const FunnelStep& step) { return taken.contains(to_json({step})); });
    if (is_known) known.push_back(funnel);
  }
  return known;
}

/// Finds the funnels that the link shows, and counts the funnel that the URL chooses.
Result<Shown> count_shown(const View& view, store::RegistryReader& registry,
                          store::StatsStore& store) {
  auto funnels = TRY(registry.list_funnels(view.site().id));
  if (!funnels.empty() && view.is_limited()) {
    funnels = TRY(with_known_steps(view, funnels, store));
  }
  if (funnels.empty()) return Shown{};
  auto report =
      TRY(count_funnel(chosen(view, funnels), view.query({Metric::kVisitors}).selection, store));
  std::vector<std::string> names;
  names.reserve(funnels.size());
  for (const auto& funnel : funnels) names.push_back(funnel.name);
  return Shown{std::move(names), std::move(report)};
}

std::string rate_text(double rate) { return text_of(Metric::kConversionRate, Value(rate)); }

}  // namespace

Status add_funnels(const View& view, store::RegistryReader& registry, store::StatsStore& store,
                   Page& page) {
  const auto shown = TRY(count_shown(view, registry, store));
  if (shown.names.empty()) return {};
  const auto& [names, report] = shown;
  Panel panel{kFunnels, "Funnels", {}, {report.name, "Visitors", "Rate", "Drop-off"}, {}, {}, {}};
  for (const auto& name : names) {
    panel.tabs.push_back({name, view.url(kFunnels, name), name == report.name});
  }
  const auto first = report.steps.front().visitors;
  for (const auto& step : report.steps) {
    const double share =
        first == 0 ? 0 : static_cast<double>(step.visitors) / static_cast<double>(first);
    panel.rows.push_back({std::to_string(panel.rows.size() + 1) + ". " + step.label,
                          {},
                          {grouped(step.visitors), rate_text(step.conversion_rate),
                           panel.rows.empty() ? "" : grouped(step.dropoff)},
                          share});
  }
  panel.note = rate_text(report.steps.back().conversion_rate) +
               " of the first step's visitors completed all steps. ";
  panel.note += report.within == FunnelWithin::kVisit
                    ? "Steps in one visit, in this order."
                    : "Steps of a visitor on one day, in this order.";
  panel.note += " Nobody can be recognised on another day, so no funnel goes beyond one.";
  panel.csv = view.url_below("/csv", "panel", kFunnels);
  page.panels.push_back(std::move(panel));
  return {};
}

Result<std::string> funnel_csv(const View& view, store::RegistryReader& registry,
                               store::StatsStore& store) {
  const auto shown = TRY(count_shown(view, registry, store));
  if (shown.names.empty()) return fail(ErrorCode::kNotFound, "The site has no funnels.");
  auto text = csv_row({"step", "visitors", "conversion_rate", "dropoff"});
  for (const auto& step : shown.report.steps) {
    text += csv_row({step.label, std::to_string(step.visitors),
                     csv_text(Value(step.conversion_rate)), std::to_string(step.dropoff)});
  }
  return text;
}

}  // namespace analytics::share
