#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace analytics::cli {

/// What became of a record.
enum class RecordFate { kAccepted, kDuplicate, kDropped, kRejected, kFiltered };

/// What became of every record read. read = accepted + duplicate + dropped + rejected + filtered +
/// pending, always.
struct Accounts {
  std::uint64_t read = 0;
  std::uint64_t accepted = 0;
  std::uint64_t duplicate = 0;
  std::uint64_t dropped = 0;
  std::uint64_t rejected = 0;
  std::uint64_t filtered = 0;
  std::uint64_t pending = 0;
  std::map<std::string, std::uint64_t> dropped_by;
  std::uint64_t attempts = 0;
  std::uint64_t retries = 0;

  [[nodiscard]] bool balanced() const {
    return read == accepted + duplicate + dropped + rejected + filtered + pending;
  }
};

/// `reason`: of a drop.
void count(Accounts& accounts, RecordFate fate, std::string_view reason);
/// What two runs have read and found together.
void add(Accounts& accounts, const Accounts& other);

/// What a 202 says, by its X-Analytics-Dropped and the number of domains the record named: once, as
/// accepted when any of them stored it.
struct AnswerFate {
  RecordFate fate = RecordFate::kAccepted;
  std::string_view reason;  ///< Of a drop.
};
[[nodiscard]] AnswerFate fate_of_answer(std::string_view dropped, std::size_t domains);

/// How many sites the domains name, as far as can be told without the server: spellings that differ
/// in case, scheme, `www.` or a final `/` are one.
[[nodiscard]] std::size_t distinct_domains(const std::vector<std::string>& domains);

/// Latencies in buckets a tenth apart: bounded memory for any number.
class Latencies {
 public:
  void add(std::chrono::microseconds time);
  /// Milliseconds below which that part (0..1) of all lies.
  [[nodiscard]] double quantile(double part) const;
  [[nodiscard]] double max() const { return max_; }

 private:
  std::array<std::uint64_t, 200> buckets_{};
  std::uint64_t count_ = 0;
  double max_ = 0;
};

}  // namespace analytics::cli
