#include "daemon/share/funnel_panel.h"

#include <algorithm>

#include "common/text/csv.h"
#include "common/text/grouped.h"
#include "daemon/share/value_text.h"
#include "daemon/stats/funnel_report.h"

namespace analytics::share {
namespace {

/// The funnels that the link shows, and the report on the chosen one.
struct Shown {
  std::vector<std::string> names;  ///< Empty: there is no funnel to show, and no report.
  FunnelReport report;
};

/// Returns the funnel or report that the URL names, or else the first. REQUIRES: `all` is not
/// empty.
template <typename Named>
const Named& chosen(const View& view, const std::vector<Named>& all) {
  const auto name = view.tab({kFunnels, "", {}});
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Named& each) { return each.name == name; });
  return found == all.end() ? all.front() : *found;
}

template <typename Named>
std::vector<std::string> names_of(const std::vector<Named>& all) {
  std::vector<std::string> names;
  names.reserve(all.size());
  for (const auto& each : all) names.push_back(each.name);
  return names;
}

/// Counts the chosen funnel. A limited link shows only funnels that its visitors have gone all the
/// way, because the names of others and of their steps may tell what it hides.
Result<Shown> count_shown(const View& view, store::RegistryReader& registry,
                          store::StatsStore& store) {
  const auto funnels = registry.list_funnels(view.site().id);
  if (!funnels) return fail(funnels.error());
  if (funnels->empty()) return Shown{};
  const auto selection = view.query({Metric::kVisitors}).selection;
  if (!view.is_limited()) {
    auto report = count_funnel(chosen(view, *funnels), selection, store);
    if (!report) return fail(report.error());
    return Shown{names_of(*funnels), std::move(*report)};
  }
  std::vector<FunnelReport> completed;
  for (const auto& funnel : *funnels) {
    auto report = count_funnel(funnel, selection, store);
    if (!report) return fail(report.error());
    if (report->steps.back().visitors > 0) completed.push_back(std::move(*report));
  }
  if (completed.empty()) return Shown{};
  return Shown{names_of(completed), chosen(view, completed)};
}

std::string rate_text(double rate) { return text_of(Metric::kConversionRate, Value(rate)); }

}  // namespace

Status add_funnels(const View& view, store::RegistryReader& registry, store::StatsStore& store,
                   Page& page) {
  const auto shown = count_shown(view, registry, store);
  if (!shown) return fail(shown.error());
  if (shown->names.empty()) return {};
  const auto& [names, report] = *shown;
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
  panel.note =
      rate_text(report.steps.back().conversion_rate) + " of those who began went all the way. ";
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
  const auto shown = count_shown(view, registry, store);
  if (!shown) return fail(shown.error());
  if (shown->names.empty()) return fail(ErrorCode::kNotFound, "The site has no funnels.");
  auto text = csv_row({"step", "visitors", "conversion_rate", "dropoff"});
  for (const auto& step : shown->report.steps) {
    text += csv_row({step.label, std::to_string(step.visitors),
                     csv_text(Value(step.conversion_rate)), std::to_string(step.dropoff)});
  }
  return text;
}

}  // namespace analytics::share
