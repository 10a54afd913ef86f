#pragma once

#include <algorithm>
#include <iterator>

#include "daemon/model/filter.h"
#include "daemon/query/events/event_batch.h"

namespace analytics::query {

/// Returns the items of `rows` that are not in `removed`.
[[nodiscard]] inline RowList without(const RowList& rows, const RowList& removed) {
  RowList rest;
  std::set_difference(rows.begin(), rows.end(), removed.begin(), removed.end(),
                      std::back_inserter(rest));
  return rest;
}

/// Removes the rows that a combination of filters refuses. `parts`: the combined filters;
/// `keep(part, rows)` removes the rows that the filter `part` refuses. REQUIRES: `kind` is kAll,
/// kAny or kNot.
template <typename Parts, typename Keep>
void keep_combined(Filter::Kind kind, Parts& parts, RowList& rows, const Keep& keep) {
  if (kind == Filter::Kind::kAll) {
    for (auto& part : parts) keep(part, rows);
    return;
  }
  if (kind == Filter::Kind::kNot) {
    auto accepted = rows;
    keep(parts.front(), accepted);
    rows = without(rows, accepted);
    return;
  }
  // For kAny, each of `parts` evaluates only the rows that no earlier one has accepted.
  auto rest = std::move(rows);
  rows.clear();
  for (auto& part : parts) {
    auto accepted = rest;
    keep(part, accepted);
    rest = without(rest, accepted);
    const auto middle = static_cast<std::ptrdiff_t>(rows.size());
    rows.insert(rows.end(), accepted.begin(), accepted.end());
    std::inplace_merge(rows.begin(), rows.begin() + middle, rows.end());
  }
}

}  // namespace analytics::query
