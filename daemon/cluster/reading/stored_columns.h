#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "daemon/cluster/native_reader.h"
#include "daemon/cluster/reading/answer_rows.h"
#include "daemon/cluster/reading/event_texts.h"
#include "daemon/query/events/column.h"

namespace analytics::cluster {

/// A column of a query, and the columns of a table from which its values are computed.
struct StoredColumn {
  query::Column column;
  std::vector<AskedColumn> asked;
};

/// Indexes of the columns that event_numbers() returns. Columns of texts may follow from
/// kFirstText.
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
/// Returns the columns of VisitMoves::event_columns(), which identify an event and its visit,
/// followed by the event's other numbers.
[[nodiscard]] std::vector<AskedColumn> event_numbers();

/// Returns the columns that describe how a visitor arrived (referrer, source, campaign), and the
/// visitor's device, language and place. A visit has the values of its first event. The tables
/// `events` and `visits` use the same names.
[[nodiscard]] const std::vector<StoredColumn>& arrival_columns();

/// Returns the value of a column in a row, as a number. `at`: index of the first column of the
/// answer from which the value is computed; the call moves it past the last such column. REQUIRES:
/// a text column, or one of arrival_columns().
[[nodiscard]] std::uint32_t stored_number(const NativeReader& block, std::size_t row,
                                          query::Column column, std::size_t& at, EventTexts& texts);

}  // namespace analytics::cluster
