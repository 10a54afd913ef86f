#pragma once

#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "common/run/published.h"
#include "daemon/cluster/clickhouse.h"
#include "daemon/cluster/marks.h"
#include "daemon/cluster/native_reader.h"
#include "daemon/query/events/budget.h"

namespace analytics::cluster {

/// Thrown when ClickHouse cannot be read. The error is meant for the client of a query.
struct ReadFailed {
  Error error;
};

/// The ClickHouse server that a query reads, and the query's limits.
struct ReadAccess {
  const ClickHouseConfig& config;
  ClickHouseAnswer::Limits limits;
  query::Budget& budget;
};

/// Returns an error that tells a client that ClickHouse cannot be read now. ClickHouse's own
/// message, from `error`, appears only in the daemon's log.
[[nodiscard]] Error read_error(const Error& error);

/// An SQL expression that a statement selects as a column, and the type of its values.
struct AskedColumn {
  std::string sql;
  NativeReader::Type type;
};

/// Calls `read` and returns its result. Turns ReadFailed and LimitReached, if `read` throws them,
/// into errors.
template <typename Read>
auto guarded_read(const Read& read) -> Result<decltype(read())> {
  try {
    if constexpr (std::is_void_v<decltype(read())>) {
      read();
      return {};
    } else {
      return read();
    }
  } catch (const query::LimitReached& limit) {
    return fail(ErrorCode::kOverloaded, limit.what());
  } catch (const ReadFailed& failed) {
    return fail(failed.error);
  }
}

/// Reads the marks of a cluster and then its registered nodes, so that a node that joins meanwhile
/// is not missed. Throws ReadFailed.
[[nodiscard]] Marks marks_of(ClickHouse& server, const std::string& cluster,
                             const Published<RegisteredNodes>& registered);

/// Reads the rows of a statement's answer, block by block. Functions throw ReadFailed, and
/// LimitReached if the time or memory of the query is used up.
class AnswerRows {
 public:
  /// Sends a statement that selects `columns`. `from`: the rest of the statement, "FROM … WHERE
  /// …".
  AnswerRows(const ReadAccess& access, const std::vector<AskedColumn>& columns,
             const std::string& from);

  /// Moves to the next block with rows. Returns false at the end of the answer.
  bool next();
  /// Returns the current block. REQUIRES: next() returned true.
  [[nodiscard]] const NativeReader& block() const { return reader_; }
  /// Returns the memory in use in bytes. This memory is not charged to the budget.
  [[nodiscard]] std::size_t memory() const { return reader_.memory(); }

 private:
  query::Budget& budget_;
  NativeReader reader_;
  ClickHouseAnswer answer_;
};

}  // namespace analytics::cluster
