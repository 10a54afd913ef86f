#include "daemon/stats/site_summary.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "common/text/local_time.h"
#include "daemon/stats/answer.h"
#include "daemon/stats/caveats.h"
#include "daemon/stats/period.h"
#include "daemon/stats/realtime.h"

namespace analytics {
namespace {

Query visitors_of(const Site& site, const Period& period) {
  Query query;
  query.zone = site.timezone;
  query.selection.site = site.id;
  query.selection.range = range_of(period, site.timezone);
  query.metrics = {Metric::kVisitors};
  return query;
}

std::int64_t count_of(const Row& row) {
  const auto* number = std::get_if<double>(&row.metrics.front());
  return number == nullptr ? 0 : std::llround(*number);
}

}  // namespace

Value week_change(const SiteSummary& summary) {
  if (summary.week_before == 0) return {};
  return change_of(Metric::kVisitors, static_cast<double>(summary.week),
                   static_cast<double>(summary.week_before));
}

void add(const SiteSummary& site, SiteSummary& all) {
  all.current += site.current;
  all.today += site.today;
  all.week += site.week;
  all.week_before += site.week_before;
  all.days.resize(std::max(all.days.size(), site.days.size()));
  for (std::size_t i = 0; i < site.days.size(); ++i) all.days[i] += site.days[i];
  all.last_event = std::max(all.last_event, site.last_event);
  all.dropped_today += site.dropped_today;
}

Result<SiteSummary> summarise(const Site& site, UnixSeconds now, store::RegistryReader& registry,
                              store::StatsStore& stats) {
  const auto today = local_day(now, site.timezone);
  const auto week = *days_of("7d", today);
  auto by_day = visitors_of(site, *days_of("30d", today));
  by_day.dimensions = {{Field::kDay, {}}};
  const std::array queries = {realtime_query(site.id, now), visitors_of(site, {today, today}),
                              visitors_of(site, week),
                              visitors_of(site, period_before(week, today)), by_day};
  const auto answers = TRY(answer(queries, stats));
  const auto value = [&](std::size_t i) { return answers[i].rows.front(); };
  SiteSummary summary;
  summary.site = site;
  summary.current = count_of(value(0));
  summary.today = count_of(value(1));
  summary.week = count_of(value(2));
  summary.week_before = count_of(value(3));
  for (const auto& row : every_bucket(by_day, answers[4])) {
    summary.days.push_back(count_of(row));
  }
  summary.caveats = caveats_of(queries, answers, now);
  summary.caveats.partial_until.clear();
  summary.caveats.sum_of_days = false;
  const auto last = TRY(registry.last_event_at(site.id));
  summary.last_event = last;
  // last_event_at() may miss events in an hour with a large import.
  if (summary.current > 0) summary.last_event = std::max(last, std::optional(now - kRealtime));
  const auto drops = TRY(registry.list_drops(site.id, start_of_day(today, site.timezone)));
  for (const auto& drop : drops) summary.dropped_today += drop.count;
  return summary;
}

}  // namespace analytics
