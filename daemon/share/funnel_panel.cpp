#include "daemon/share/funnel_panel.h"

#include <algorithm>

#include "common/text/csv.h"
#include "common/text/grouped.h"
#include "daemon/share/value_text.h"
#include "daemon/stats/funnel_report.h"

namespace analytics::share {
namespace {

/// Returns the funnel that the URL names, or else the first. REQUIRES: `funnels` is not empty.
const Funnel& chosen(const View& view, const std::vector<Funnel>& funnels) {
  const auto name = view.tab({kFunnels, "", {}});
  const auto found = std::find_if(funnels.begin(), funnels.end(),
                                  [&](const Funnel& funnel) { return funnel.name == name; });
  return found == funnels.end() ? funnels.front() : *found;
}

Result<FunnelReport> report_of(const View& view, const Funnel& funnel, store::StatsStore& store) {
  return count_funnel(funnel, view.query({Metric::kVisitors}).selection, store);
}

/// Returns the funnels that the link shows. A limited link shows those that its visitors have gone
/// all the way, because the names of other funnels and steps may tell what it hides.
Result<std::vector<Funnel>> funnels_of(const View& view, store::RegistryReader& registry,
                                       store::StatsStore& store) {
  auto funnels = registry.list_funnels(view.site().id);
  if (!funnels || !view.is_limited()) return funnels;
  std::vector<Funnel> shown;
  for (auto& funnel : *funnels) {
    const auto report = report_of(view, funnel, store);
    if (!report) return fail(report.error());
    if (report->steps.back().visitors > 0) shown.push_back(std::move(funnel));
  }
  return shown;
}

std::string rate_text(double rate) { return text_of(Metric::kConversionRate, Value(rate)); }

}  // namespace

Status add_funnels(const View& view, store::RegistryReader& registry, store::StatsStore& store,
                   Page& page) {
  const auto funnels = funnels_of(view, registry, store);
  if (!funnels) return fail(funnels.error());
  if (funnels->empty()) return {};
  const auto& funnel = chosen(view, *funnels);
  const auto report = report_of(view, funnel, store);
  if (!report) return fail(report.error());
  Panel panel{kFunnels, "Funnels", {}, {funnel.name, "Visitors", "Rate", "Drop-off"}, {}, {}, {}};
  for (const auto& each : *funnels) {
    panel.tabs.push_back({each.name, view.url(kFunnels, each.name), each.name == funnel.name});
  }
  const auto first = report->steps.front().visitors;
  for (const auto& step : report->steps) {
    const double share =
        first == 0 ? 0 : static_cast<double>(step.visitors) / static_cast<double>(first);
    panel.rows.push_back({std::to_string(panel.rows.size() + 1) + ". " + step.label,
                          {},
                          {grouped(step.visitors), rate_text(step.conversion_rate),
                           panel.rows.empty() ? "" : grouped(step.dropoff)},
                          share});
  }
  panel.note =
      rate_text(report->steps.back().conversion_rate) + " of those who began went all the way. ";
  panel.note += funnel.within == FunnelWithin::kVisit
                    ? "Steps in one visit, in this order."
                    : "Steps of a visitor on one day, in this order.";
  panel.note += " Nobody can be recognised on another day, so no funnel goes beyond one.";
  panel.csv = view.url_below("/csv", "panel", kFunnels);
  page.panels.push_back(std::move(panel));
  return {};
}

Result<std::string> funnel_csv(const View& view, store::RegistryReader& registry,
                               store::StatsStore& store) {
  const auto funnels = funnels_of(view, registry, store);
  if (!funnels) return fail(funnels.error());
  if (funnels->empty()) return fail(ErrorCode::kNotFound, "The site has no funnels.");
  const auto report = report_of(view, chosen(view, *funnels), store);
  if (!report) return fail(report.error());
  auto text = csv_row({"step", "visitors", "conversion_rate", "dropoff"});
  for (const auto& step : report->steps) {
    text += csv_row({step.label, std::to_string(step.visitors),
                     csv_text(Value(step.conversion_rate)), std::to_string(step.dropoff)});
  }
  return text;
}

}  // namespace analytics::share
