#pragma once

#include <optional>
#include <string>
#include <utility>

#include "daemon/model/event_selection.h"
#include "daemon/store/sqlite/db/rows.h"
#include "daemon/store/sqlite/db/sqlite.h"

namespace analytics::sqlite {

/// The columns in which a table stores an EventSelection. Their names are the same in every such
/// table.
inline constexpr char kSelectionColumns[] =
    "site, from_time, to_time, import, page, source, prop, prop_value, visitor_of, visitor";

/// Reads a selection from a row that begins with kSelectionColumns.
[[nodiscard]] inline EventSelection read_selection(const Rows& row) {
  EventSelection what;
  what.site = row.int64(0);
  if (const auto from = row.maybe_int64(1)) what.from = to_time(*from);
  if (const auto to = row.maybe_int64(2)) what.to = to_time(*to);
  what.import = row.int64(3);
  what.page = row.maybe_text(4);
  what.source = row.maybe_text(5);
  if (const auto key = row.maybe_text(6)) what.prop = {*key, row.maybe_text(7)};
  if (const auto id = row.maybe_text(8)) what.visitor_of = parse_lasting_id(*id);
  if (const auto visitor = row.maybe_int64(9)) {
    what.visitor = static_cast<std::uint64_t>(*visitor);
  }
  return what;
}

/// Runs a statement whose first parameters are the values of kSelectionColumns for `what`,
/// followed by the parameters `more`.
template <typename... More>
void run_with_selection(Statement& statement, const EventSelection& what, More&&... more) {
  using Number = std::optional<std::int64_t>;
  using Text = std::optional<std::string>;
  const auto bound = [](UnixSeconds time, UnixSeconds none) {
    return time == none ? Number() : Number(seconds(time));
  };
  statement.run(what.site, bound(what.from, UnixSeconds::min()), bound(what.to, UnixSeconds::max()),
                what.import, what.page, what.source, what.prop ? Text(what.prop->key) : Text(),
                what.prop ? what.prop->value : Text(),
                what.visitor_of ? Text(to_text(*what.visitor_of)) : Text(),
                what.visitor ? Number(static_cast<std::int64_t>(*what.visitor)) : Number(),
                std::forward<More>(more)...);
}

}  // namespace analytics::sqlite
