#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "daemon/cluster/native_reader.h"
#include "daemon/cluster/reading/answer_rows.h"
#include "daemon/cluster/reading/event_texts.h"
#include "daemon/query/column.h"

namespace analytics::cluster {

/// A column of a query, and the columns of a table that its number is made from.
struct StoredColumn {
  query::Column column;
  std::vector<AskedColumn> asked;
};

/// Indexes of the columns of event_numbers(); texts may follow them.
enum EventNumber : std::size_t {
  kOfNode,
  kOfVisit,
  kOfEvent,
  kOfVisitor,
  kOfTime,
  kOfMillis,
  kOfPassive,
  kOfEngaged,
  kOfScroll,
  kOfMicros,
  kFirstText
};
/// Returns the columns that identify an event and its visit, as VisitMoves::event_columns(), and
/// its numbers.
[[nodiscard]] std::vector<AskedColumn> event_numbers();

/// Returns the columns that say how a visitor came, and with what: a visit has those of its first
/// event. The tables of events and of visits name them alike.
[[nodiscard]] const std::vector<StoredColumn>& arrival_columns();

/// Returns a column's number in a row. `at`: the first column of the answer that the number is made
/// from; moved past the last. REQUIRES: a column of texts, or of arrival_columns().
[[nodiscard]] std::uint32_t stored_number(const NativeReader& block, std::size_t row,
                                          query::Column column, std::size_t& at, EventTexts& texts);

}  // namespace analytics::cluster
