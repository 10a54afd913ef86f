#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "common/text/period.h"
#include "common/text/time.h"

namespace analytics {

/// Limits on the accuracy of an answer's numbers. `meta` of the Stats API contains only those that
/// apply.
struct Caveats {
  /// Time of the answer, in RFC 3339 with the site's offset, if the queried range is not over yet;
  /// else empty.
  std::string partial_until;
  bool removal_running = false;  ///< True while events of the site are being removed.
  struct LostDay {
    Days day{};
    std::int64_t events = 0;
    bool operator==(const LostDay&) const = default;
  };
  /// For each UTC day, the number of events that arrived too late to recognise their visitors, who
  /// therefore count as new visitors.
  std::vector<LostDay> recognition_lost;
  /// True if visitors are summed over UTC days, so that a returning person counts once a day.
  bool sum_of_days = false;
  std::vector<Period> totals;  ///< Periods for which only daily totals are stored.
  std::int64_t cut = 0;        ///< Number of rows after those that the answer contains.
  double other = 0;  ///< Share of the visitors who are in rows named kOtherText, in percent.
  /// In a cluster, the RFC 3339 time up to which all stored events count; else empty.
  std::string up_to;
  std::vector<std::string> behind;  ///< Nodes of the cluster whose newest events may be missing.
};

/// Value that replaces a new text once a site has too many different texts.
inline constexpr std::string_view kOtherText = "(other)";

/// Writes the caveats into `meta`. caveats_in() reads them from there, and ignores members of an
/// unexpected form.
void add_to(nlohmann::ordered_json& meta, const Caveats& caveats);
[[nodiscard]] Caveats caveats_in(const nlohmann::ordered_json& meta);

/// Returns a sentence for people about each caveat except `cut` and `up_to`.
[[nodiscard]] std::vector<std::string> sentences(const Caveats& caveats);

}  // namespace analytics
