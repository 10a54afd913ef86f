#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace analytics::cli {

/// The final outcome of a record. kFiltered: replay itself left the record out, for example
/// because it logs a failed request.
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
  std::map<std::string, std::uint64_t> dropped_by;  ///< Dropped records by drop reason.
  /// Number of values in accepted events that were redacted or left out because they may identify
  /// a person.
  std::uint64_t withheld = 0;
  std::uint64_t attempts = 0;  ///< Requests sent, including retries.
  std::uint64_t retries = 0;

  [[nodiscard]] bool balanced() const {
    return read == accepted + duplicate + dropped + rejected + filtered + pending;
  }
};

/// Counts one record with its outcome; `reason` is the drop reason if it was dropped.
void count(Accounts& accounts, RecordFate fate, std::string_view reason);
/// Adds the counts of `other` to `accounts`.
void add(Accounts& accounts, const Accounts& other);

/// The outcome of a record that the server answered with 202. A record that names several domains
/// has one outcome: accepted if any domain accepted it.
struct AnswerFate {
  RecordFate fate = RecordFate::kAccepted;
  std::string_view reason;  ///< The drop reason; empty unless the record was dropped.
};
/// Returns the outcome from the reply's X-Analytics-Dropped header and the number of domains that
/// the record names.
[[nodiscard]] AnswerFate fate_of_answer(std::string_view dropped, std::size_t domains);

/// Returns how many sites the domains name, as far as the client can tell: domains that differ only
/// in case, scheme, `www.` or a final `/` are one site.
[[nodiscard]] std::size_t distinct_domains(const std::vector<std::string>& domains);

/// A histogram of latencies in bounded memory; each bucket ends 10 % above the previous one.
class Latencies {
 public:
  void add(std::chrono::microseconds time);
  /// Returns the quantile `part` (0..1) in milliseconds.
  [[nodiscard]] double quantile(double part) const;
  /// Returns the longest latency in milliseconds.
  [[nodiscard]] double max() const { return max_; }

 private:
  std::array<std::uint64_t, 200> buckets_{};
  std::uint64_t count_ = 0;
  double max_ = 0;
};

}  // namespace analytics::cli
