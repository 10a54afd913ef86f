#include "daemon/ingest/drop_counters.h"

#include <algorithm>
#include <utility>

#include "common/text/personal_data.h"

namespace analytics {
namespace {

constexpr std::size_t kMaxNameBytes = 253;  // size of the longest DNS name, in bytes

UnixSeconds hour_of(UnixSeconds time) { return std::chrono::floor<std::chrono::hours>(time); }

}  // namespace

void DropCounters::count(std::span<const Event> events, std::span<const EventOutcome> outcomes,
                         UnixSeconds now, const std::vector<bool>& counted_before) {
  const auto was_counted = [&](std::size_t i) {
    return i < counted_before.size() && counted_before[i];
  };
  const std::scoped_lock lock(mutex_);
  for (std::size_t i = 0; i < outcomes.size();) {
    auto end = i + 1;  // neighbouring events with the same site and outcome share a look-up
    while (end < outcomes.size() && outcomes[end] == outcomes[i] &&
           events[end].site == events[i].site && was_counted(end) == was_counted(i)) {
      ++end;
    }
    if (was_counted(i)) {
      i = end;
      continue;
    }
    counts_[{events[i].site, hour_of(now), outcomes[i]}] += static_cast<std::int64_t>(end - i);
    totals_[outcomes[i]] += end - i;
    i = end;
  }
}

void DropCounters::count_drop(SiteId site, EventOutcome reason, UnixSeconds now) {
  const std::scoped_lock lock(mutex_);
  ++counts_[{site, hour_of(now), reason}];
  ++totals_[reason];
}

void DropCounters::count_replaced(SiteId site, std::int64_t texts, UnixSeconds now) {
  const std::scoped_lock lock(mutex_);
  counts_[{site, hour_of(now), EventOutcome::kTextBudget}] += texts;
  replaced_texts_ += static_cast<std::uint64_t>(texts);
}

void DropCounters::count_unknown(std::string_view domain, UnixSeconds now) {
  std::string name(domain.substr(0, kMaxNameBytes));
  // Clients may send personal data as a domain. An IPv4 address stays, because it may be the name
  // of a site.
  (void)redact(name, IpAddresses::kKeepV4);
  const std::scoped_lock lock(mutex_);
  ++counts_[{0, hour_of(now), EventOutcome::kUnknownSite}];
  ++totals_[EventOutcome::kUnknownSite];
  add_name({std::move(name), 1, now});
}

void DropCounters::add_name(const store::UnknownSite& seen) {
  if (names_.size() >= kMaxNames && !names_.contains(seen.domain)) return;
  auto& row = names_[seen.domain];
  row.domain = seen.domain;
  row.count += seen.count;
  row.last_seen = std::max(row.last_seen, seen.last_seen);
}

std::vector<std::pair<std::string, std::uint64_t>> DropCounters::totals() const {
  const std::scoped_lock lock(mutex_);
  std::vector<std::pair<std::string, std::uint64_t>> all;
  for (const auto outcome : event_outcomes()) {
    const auto counted = totals_.find(outcome);
    all.emplace_back(outcome_name(outcome), counted == totals_.end() ? 0 : counted->second);
  }
  return all;
}

DropCounters::Taken DropCounters::take() {
  decltype(counts_) counts;
  decltype(names_) names;
  {
    const std::scoped_lock lock(mutex_);
    counts.swap(counts_);
    names.swap(names_);
  }
  Taken taken;
  for (const auto& [key, count] : counts) {
    taken.counts.push_back({std::get<0>(key), std::get<1>(key), std::get<2>(key), count});
  }
  for (auto& [name, row] : names) taken.unknown.push_back(std::move(row));
  return taken;
}

void DropCounters::put_back(const Taken& taken) {
  const std::scoped_lock lock(mutex_);
  for (const auto& row : taken.counts) counts_[{row.site, row.hour, row.outcome}] += row.count;
  for (const auto& row : taken.unknown) add_name(row);
}

}  // namespace analytics
