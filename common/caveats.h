#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "common/period.h"
#include "common/time.h"

namespace analytics {

/// What a reader has to know of an answer beside its numbers: how true they are. `meta` of the
/// Stats API has what applies, and nothing of the rest.
struct Caveats {
  std::string
      partial_until;  ///< Now, in RFC 3339 with the site's offset; empty: the range is over.
  bool removal_running = false;  ///< Events of the site are being removed.
  struct LostDay {
    Days day{};
    std::int64_t events = 0;
    bool operator==(const LostDay&) const = default;
  };
  /// UTC days, and how many of their events came when their visitors could not be recognised any
  /// more: these count as new ones.
  std::vector<LostDay> recognition_lost;
  bool sum_of_days = false;         ///< Visitors are the sum of those of several UTC days.
  std::vector<Period> totals;       ///< Days of which only totals are kept.
  std::int64_t cut = 0;             ///< Rows that are left out.
  double other = 0;                 ///< Percent of all rows' visitors that rows named kOther have.
  std::string up_to;                ///< In a cluster: RFC 3339, what was stored until then counts.
  std::vector<std::string> behind;  ///< Nodes whose newest events may be missing.
};

/// The text in place of those that a site has too many of.
inline constexpr std::string_view kOther = "(other)";

/// Writes them into `meta`, and reads them from there. Members of another form are ignored.
void add_to(nlohmann::ordered_json& meta, const Caveats& caveats);
[[nodiscard]] Caveats caveats_in(const nlohmann::ordered_json& meta);

/// Returns a sentence for each but `cut`, for people.
[[nodiscard]] std::vector<std::string> sentences(const Caveats& caveats);

}  // namespace analytics
