#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace analytics::cli {

/// The outcome of a record.
enum class RecordFate { kAccepted, kDuplicate, kDropped, kRejected, kFiltered };

/// Counts records by outcome. Invariant: read = accepted + duplicate + dropped + rejected +
/// filtered + pending.
struct Accounts {
  std::uint64_t read = 0;
  std::uint64_t accepted = 0;
  std::uint64_t duplicate = 0;
  std::uint64_t dropped = 0;
  std::uint64_t rejected = 0;
  std::uint64_t filtered = 0;
  std::uint64_t pending = 0;
  std::map<std::string, std::uint64_t> dropped_by;
  /// Values left out of accepted events because they may identify a person.
  std::uint64_t withheld = 0;
  std::uint64_t attempts = 0;
  std::uint64_t retries = 0;

  [[nodiscard]] bool balanced() const {
    return read == accepted + duplicate + dropped + rejected + filtered + pending;
  }
};

/// Counts one record. `reason` is that of a drop.
void count(Accounts& accounts, RecordFate fate, std::string_view reason);
/// Adds the counts of `other` to `accounts`.
void add(Accounts& accounts, const Accounts& other);

/// The outcome of a record according to a 202 reply: its X-Analytics-Dropped header and the
/// number of domains that the record names. The record counts once, as accepted if any domain
/// accepted it.
struct AnswerFate {
  RecordFate fate = RecordFate::kAccepted;
  std::string_view reason;  ///< The drop reason; empty unless the record was dropped.
};
[[nodiscard]] AnswerFate fate_of_answer(std::string_view dropped, std::size_t domains);

/// Returns how many sites the domains name, as far as the client can tell: spellings that differ
/// only in case, scheme, `www.` or a final `/` are one site.
[[nodiscard]] std::size_t distinct_domains(const std::vector<std::string>& domains);

/// A histogram of latencies in bounded memory; each bucket ends 10 % above the previous one.
class Latencies {
 public:
  void add(std::chrono::microseconds time);
  /// Returns the quantile `part` (0..1) in milliseconds.
  [[nodiscard]] double quantile(double part) const;
  [[nodiscard]] double max() const { return max_; }

 private:
  std::array<std::uint64_t, 200> buckets_{};
  std::uint64_t count_ = 0;
  double max_ = 0;
};

}  // namespace analytics::cli
