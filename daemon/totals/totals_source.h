#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "daemon/model/query.h"

namespace analytics::totals {

/// A set of stored totals that answers a query: those of whole days, or of some values of a
/// dimension.
struct Source {
  /// Dimension of the totals; nullopt for totals of whole days.
  std::optional<Dimension> dimension{};
  /// Returns true if the query includes the totals of the value `text` of the dimension. If the
  /// function is empty, the query includes the totals of all values.
  std::function<bool(const std::string& text)> counts{};
  bool is_of_kept = true;     ///< True if totals computed from events count.
  bool is_of_imports = true;  ///< True if imported totals count.
  /// Values that must be in each day's totals computed from events, even if only with zeros. A day
  /// that lacks one was computed without that value, for example before a goal was added.
  std::vector<std::string> required{};
  /// Returns true if a goal includes the totals of the value `text` of the dimension. Empty unless
  /// the totals are limited to those of goals.
  std::function<bool(const Goal& goal, const std::string& text)> meets{};
};

/// Returns true if events whose `field` has the value `text` meet a goal. `text`: a page or the
/// name of an event; for kGoal, the name of a goal, or of an event that another service counts as a
/// goal.
[[nodiscard]] bool meets(const Goal& goal, Field field, std::string_view text);

/// Returns the totals that answer a selection's filter for a grouping by at most one dimension;
/// empty if no totals do. The filter must be on the dimension of the rows, or on one that
/// determines the rows: a country determines its regions, and a page determines which page goals
/// are met. For imported totals a filter may mean several values, whose visitors are added up as
/// Plausible does.
[[nodiscard]] std::vector<Source> sources_of(const Selection& selection, const Grouping& grouping);

}  // namespace analytics::totals
