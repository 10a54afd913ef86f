#include "daemon/stats/alerts.h"

#include <algorithm>
#include <cmath>

#include "common/text/grouped.h"
#include "common/text/local_time.h"
#include "daemon/stats/answer.h"

namespace analytics {
namespace {

using Hours = std::chrono::hours;

Query visitors_of_hour(const Site& site, UnixSeconds hour) {
  Query query;
  query.zone = site.timezone;
  query.selection.site = site.id;
  query.selection.range = {hour, hour + Hours(1)};
  query.metrics = {Metric::kVisitors};
  return query;
}

std::int64_t count_of(const Answer& answer) {
  const auto* number = std::get_if<double>(&answer.rows.front().metrics.front());
  return number == nullptr ? 0 : std::llround(*number);
}

/// Returns a text such as "14:00 (Europe/Berlin)".
std::string hour_text(UnixSeconds hour, const std::string& zone) {
  return format_local(hour, zone).substr(11, 5) + " (" + zone + ")";
}

Result<std::optional<Alert>> find_silence(const Site& site, UnixSeconds now, Hours silent_after,
                                          store::RegistryReader& registry) {
  const auto last = TRY(registry.last_event_at(site.id));
  if (!last || now - *last < silent_after) return std::nullopt;
  Alert alert{site, AlertKind::kSilent, *last, 0, 0, {}};
  alert.text = site.domain + " has had no event since " + format_rfc3339(*last) + " (" +
               time_ago(now - *last) + ").";
  return alert;
}

/// Returns the number of earlier days whose events of the same hour are stored, from 1 to
/// kSpikeDays.
int usual_days(const Site& site, UnixSeconds hour, UnixSeconds now, const Retention& keep) {
  constexpr std::chrono::seconds kDay = std::chrono::days(1);
  const auto from = std::max(site.first_event_at.value_or(hour),
                             kept_from(site, keep, now).value_or(UnixSeconds::min()));
  return static_cast<int>(std::clamp<std::int64_t>((hour - from) / kDay, 1, kSpikeDays));
}

/// Returns an alert if an hour is a spike. `days`: number of earlier days to compare the hour with.
Result<std::optional<Alert>> find_spike(const Site& site, UnixSeconds hour, int days,
                                        store::StatsStore& stats) {
  const auto of_hour = TRY(answer(visitors_of_hour(site, hour), stats));
  const auto visitors = count_of(of_hour);
  if (visitors <= kSpikeVisitors) return std::nullopt;
  std::vector<Query> before;
  before.reserve(static_cast<std::size_t>(days));
  for (int day = 1; day <= days; ++day) {
    before.push_back(visitors_of_hour(site, hour - std::chrono::days(day)));
  }
  const auto answers = TRY(answer(before, stats));
  std::int64_t all = 0;
  for (const auto& each : answers) all += count_of(each);
  if (visitors * days <= kSpikeFactor * all) return std::nullopt;
  const auto usual = static_cast<double>(all) / days;
  Alert alert{site, AlertKind::kSpike, hour, visitors, usual, {}};
  alert.text = site.domain + " has " + grouped(visitors) + " visitors in the hour from " +
               hour_text(hour, site.timezone) + "; usually " + grouped(std::llround(usual)) + ".";
  return alert;
}

}  // namespace

Result<std::vector<Alert>> find_alerts(SiteId id, UnixSeconds now, const AlertRules& rules,
                                       store::RegistryReader& registry, store::StatsStore& stats) {
  const auto site = TRY(registry.site(id));
  std::vector<Alert> alerts;
  const auto silence = TRY(find_silence(site, now, rules.silent_after, registry));
  if (silence) alerts.push_back(*silence);
  const auto running = std::chrono::floor<Hours>(now);
  for (const auto hour : {running, running - Hours(1)}) {
    const auto days = usual_days(site, hour, now, rules.default_keep);
    const auto spike = TRY(find_spike(site, hour, days, stats));
    if (!spike) continue;
    alerts.push_back(*spike);
    break;
  }
  return alerts;
}

}  // namespace analytics
