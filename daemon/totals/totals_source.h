#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "daemon/model/query.h"

namespace analytics::totals {

/// Totals that belong to a grouping of a selection: those of days as a whole, or of some values of
/// a dimension.
struct Source {
  std::optional<Dimension> dimension{};  ///< None: of days as a whole.
  /// Says of the text of a value whether its totals count; empty: all do.
  std::function<bool(const std::string& text)> counts{};
  bool is_of_kept = true;  ///< Those of events that were here count; false: only imported ones.
};

/// True if what has such totals meets a goal. `text`: a page, the name of an event, or, by kGoal,
/// the name of a goal or of the event that another service calls one.
[[nodiscard]] bool meets(const Goal& goal, Field field, std::string_view text);

/// Returns the totals that answer a selection's filter for a grouping by one dimension at most;
/// none if no totals do. The filter must be of the dimension that the rows are by, or of one that
/// says all about them: a country of its regions, a page of the goals that are pages. Imported ones
/// follow Plausible's rules, which add up the visitors of several values.
[[nodiscard]] std::vector<Source> sources_of(const Selection& selection, const Grouping& grouping);

}  // namespace analytics::totals
