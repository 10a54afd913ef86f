#include "daemon/cluster/reading/registry_reader.h"

#include <algorithm>

#include "common/text/text.h"
#include "common/wire/event_outcome.h"
#include "daemon/cluster/reading/answer_rows.h"

namespace analytics::cluster {
namespace {

constexpr std::chrono::seconds kTimeout{5};
constexpr std::chrono::minutes kTimesAreFresh{1};

ClickHouseConfig hurried(ClickHouseConfig config) {
  config.timeout = std::min<std::chrono::milliseconds>(config.timeout, kTimeout);
  return config;
}

/// Sets the site's first_event_at to the time of its first event on any node.
void complete(Site& site, const SiteTimes& times) {
  site.first_event_at = std::min(site.first_event_at.value_or(times.first), times.first);
}

}  // namespace

ClusterRegistryReader::ClusterRegistryReader(std::unique_ptr<store::RegistryReader> own,
                                             ClickHouseConfig config, std::string cluster,
                                             const Published<TimesOfSites>& times)
    : own_(std::move(own)),
      cluster_(std::move(cluster)),
      server_(hurried(std::move(config)), never_),
      times_(times) {}

/// Returns the times of a site's first and last event if they were read at most `most_age` ago, or
/// else asks ClickHouse. If ClickHouse does not answer, returns the known times, because the events
/// of other nodes cannot be read either.
std::optional<SiteTimes> ClusterRegistryReader::times_of(SiteId site,
                                                         std::chrono::seconds most_age) {
  const auto find = [site](const TimesOfSites& times) {
    const auto found = times.sites.find(site);
    return found == times.sites.end() ? std::nullopt : std::optional(found->second);
  };
  const auto known = times_.snapshot();
  const bool is_fresh =
      known->read_at && std::chrono::steady_clock::now() - *known->read_at < most_age;
  if (is_fresh) return find(*known);
  const auto marks = read_marks(server_, cluster_);
  const auto asked = marks ? read_times(server_, *marks, site) : fail(marks.error());
  return asked ? find(*asked) : find(*known);
}

Result<store::Page<Site>> ClusterRegistryReader::list_sites(AccountId account,
                                                            const std::vector<std::string>& only,
                                                            const store::PageRequest& page) {
  auto sites = TRY(own_->list_sites(account, only, page));
  const auto times = times_.snapshot();
  for (auto& site : sites.items) {
    const auto known = times->sites.find(site.id);
    if (known != times->sites.end()) complete(site, known->second);
  }
  return sites;
}

Result<Site> ClusterRegistryReader::site(SiteId site) {
  auto found = TRY(own_->site(site));
  if (const auto times = times_of(site, kTimesAreFresh)) complete(found, *times);
  return found;
}

Result<Site> ClusterRegistryReader::site_of_now(SiteId site) {
  auto found = TRY(own_->site(site));
  if (const auto times = times_of(site, std::chrono::seconds(0))) complete(found, *times);
  return found;
}

Result<std::optional<UnixSeconds>> ClusterRegistryReader::last_event_at(SiteId site) {
  auto last = TRY(own_->last_event_at(site));
  if (const auto times = times_of(site, kTimesAreFresh)) {
    last = std::max(last, std::optional(times->last));
  }
  return last;
}

Result<std::vector<store::OutcomeCount>> ClusterRegistryReader::list_drops(SiteId site,
                                                                           UnixSeconds since) {
  const auto from = std::clamp<std::int64_t>(since.time_since_epoch().count(), 0, UINT32_MAX);
  const auto marks = read_marks(server_, cluster_);
  if (!marks) return fail(read_error(marks.error()));
  const auto rows = server_.ask_rows(
      "SELECT at, sum(drops), reason FROM (SELECT toUInt32(hour) AS at, reason,"
      " argMax(count, version) AS drops FROM drops WHERE site = " +
          std::to_string(site) + " AND " + marks->of_nodes() + " AND toUInt32(hour) >= " +
          std::to_string(from) + " GROUP BY hour, node, reason) GROUP BY at, reason",
      2, 1);
  if (!rows) return fail(read_error(rows.error()));
  std::vector<store::OutcomeCount> drops;
  for (const auto& row : *rows) {
    const auto reason = parse_outcome(row.texts[0]);
    if (!reason) continue;  // a node with a newer analyticsd stored this reason for a drop
    drops.push_back({site, row.seconds(0), *reason, row.numbers[1]});
  }
  std::sort(drops.begin(), drops.end(), [](const auto& a, const auto& b) {
    return a.hour != b.hour ? a.hour > b.hour : a.outcome < b.outcome;
  });
  return drops;
}

}  // namespace analytics::cluster
