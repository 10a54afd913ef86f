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
  /// Now, in RFC 3339 with the site's offset; empty if the range is over.
  std::string partial_until;
  bool removal_running = false;  ///< Events of the site are being removed.
  struct LostDay {
    Days day{};
    std::int64_t events = 0;
    bool operator==(const LostDay&) const = default;
  };
  /// Number of events by UTC day that arrived too late to recognise their visitors, who count as
  /// new visitors.
  std::vector<LostDay> recognition_lost;
  bool sum_of_days = false;    ///< The visitors are a sum over several UTC days.
  std::vector<Period> totals;  ///< Days for which only totals are stored.
  std::int64_t cut = 0;        ///< Number of rows left out.
  double other = 0;            ///< Visitors in rows named kOtherText, in percent of all rows.
  std::string up_to;           ///< In a cluster: time in RFC 3339 up to which stored events count.
  std::vector<std::string> behind;  ///< Nodes whose newest events may be missing.
};

/// Value that replaces a text once a site has too many different ones.
inline constexpr std::string_view kOtherText = "(other)";

/// Writes the caveats into `meta`, and reads them from there. Reading ignores members of another
/// form.
void add_to(nlohmann::ordered_json& meta, const Caveats& caveats);
[[nodiscard]] Caveats caveats_in(const nlohmann::ordered_json& meta);

/// Returns a sentence for people about each caveat except `cut`.
[[nodiscard]] std::vector<std::string> sentences(const Caveats& caveats);

}  // namespace analytics
