#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/replay/formats/record.h"

namespace analytics::cli {

/// Number of events that a dry run prints as they would be sent.
inline constexpr std::uint64_t kShownEvents = 3;

/// Counts events by format, by site and by day for a dry run, in bounded memory.
class Preview {
 public:
  using Counts = std::map<std::string, std::uint64_t>;

  void count(const Record& record, const ReplayEvent& event) {
    add(formats_, record.origin->format);
    for (const auto& site : event.payload.domains) add(sites_, site);
    const auto time = event.payload.timestamp;
    const auto second = time ? std::chrono::floor<std::chrono::seconds>(*time) : UnixSeconds{};
    add(days_, time ? format_rfc3339(second).substr(0, kDayCharacters) : "now");
  }
  /// Returns the counts of events by format, by site and by day, each with its title.
  [[nodiscard]] std::vector<std::pair<std::string_view, Counts>> counts() const {
    return {{"format", formats_}, {"site", sites_}, {"day", days_}};
  }

 private:
  /// Maximum number of names that are counted separately; all others count as "(others)".
  static constexpr std::size_t kMax = 1'000;
  static constexpr std::size_t kDayCharacters = 10;

  static void add(Counts& counts, const std::string& name) {
    ++counts[counts.size() < kMax || counts.contains(name) ? name : "(others)"];
  }
  Counts formats_;
  Counts sites_;
  Counts days_;
};

}  // namespace analytics::cli
