#include "cli/replay/progress/accounting.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "common/text/text.h"

namespace analytics::cli {
namespace {

// Ratio of the end of a bucket of Latencies to the end of the previous bucket.
constexpr double kGrowth = 1.1;
constexpr double kFirst = 0.01;  // end of the first bucket, in milliseconds

}  // namespace

void count(Accounts& accounts, RecordFate fate, std::string_view reason) {
  switch (fate) {
    case RecordFate::kAccepted: ++accounts.accepted; break;
    case RecordFate::kDuplicate: ++accounts.duplicate; break;
    case RecordFate::kRejected: ++accounts.rejected; break;
    case RecordFate::kFiltered: ++accounts.filtered; break;
    case RecordFate::kDropped:
      ++accounts.dropped;
      ++accounts.dropped_by[std::string(reason)];
      break;
  }
}

void add(Accounts& accounts, const Accounts& other) {
  accounts.read += other.read;
  accounts.accepted += other.accepted;
  accounts.duplicate += other.duplicate;
  accounts.dropped += other.dropped;
  accounts.rejected += other.rejected;
  accounts.filtered += other.filtered;
  accounts.withheld += other.withheld;
  accounts.pending += other.pending;
  for (const auto& [reason, records] : other.dropped_by) accounts.dropped_by[reason] += records;
  accounts.attempts += other.attempts;
  accounts.retries += other.retries;
}

AnswerFate fate_of_answer(std::string_view dropped, std::size_t domains) {
  const auto drops = dropped.empty() ? std::vector<std::string_view>{} : split(dropped, ',');
  if (drops.size() < domains || domains == 0) return {RecordFate::kAccepted, {}};
  for (const auto drop : drops) {
    const auto reason = trim(drop.substr(drop.rfind('=') + 1));
    if (reason != "duplicate") return {RecordFate::kDropped, reason};
  }
  return {RecordFate::kDuplicate, {}};
}

std::size_t distinct_domains(const std::vector<std::string>& domains) {
  std::set<std::string> names;
  for (const auto& domain : domains) {
    auto name = ascii_lower(trim(domain));
    for (const std::string_view prefix : {"http://", "https://", "www."}) {
      if (name.starts_with(prefix)) name.erase(0, prefix.size());
    }
    if (name.ends_with('/')) name.pop_back();
    names.insert(std::move(name));
  }
  return names.size();
}

void Latencies::add(std::chrono::microseconds time) {
  const double millis = static_cast<double>(time.count()) / 1e3;
  const double index =
      millis <= kFirst ? 0 : std::ceil(std::log(millis / kFirst) / std::log(kGrowth));
  ++buckets_[std::min(buckets_.size() - 1, static_cast<std::size_t>(index))];
  ++count_;
  max_ = std::max(max_, millis);
}

double Latencies::quantile(double part) const {
  const auto wanted = static_cast<std::uint64_t>(std::ceil(part * static_cast<double>(count_)));
  std::uint64_t seen = 0;
  for (std::size_t i = 0; i < buckets_.size(); ++i) {
    seen += buckets_[i];
    if (seen >= wanted && seen > 0)
      return std::min(max_, kFirst * std::pow(kGrowth, static_cast<double>(i)));
  }
  return 0;
}

}  // namespace analytics::cli
