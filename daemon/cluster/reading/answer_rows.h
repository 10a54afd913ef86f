#pragma once

#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "common/published.h"
#include "daemon/cluster/clickhouse.h"
#include "daemon/cluster/marks.h"
#include "daemon/cluster/native_reader.h"
#include "daemon/query/budget.h"

namespace analytics::cluster {

/// Thrown when a server cannot be read. The error is for the client of a query.
struct ReadFailed {
  Error error;
};

/// A server that a query reads, and what the query may use.
struct ReadAccess {
  const ClickHouseConfig& config;
  ClickHouseAnswer::Limits limits;
  query::Budget& budget;
};

/// Says to a client that the server cannot be read now; what it said is for the log alone.
[[nodiscard]] Error read_error(const Error& error);

/// A column of what is asked for.
struct AskedColumn {
  std::string sql;
  NativeReader::Type type;
};

/// Returns what `read` does, or the error that it throws as AnswerRows.
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

/// Reads the marks of a cluster, and only then which nodes it has: one that joins meanwhile is not
/// missed. Throws ReadFailed.
[[nodiscard]] Marks marks_of(ClickHouse& server, const std::string& cluster,
                             const Published<RegisteredNodes>& registered);

/// The rows that a statement answers, a block after the other. Functions throw ReadFailed and
/// LimitReached.
class AnswerRows {
 public:
  /// Asks for columns. `from` is what follows them: "FROM … WHERE …".
  AnswerRows(const ReadAccess& access, const std::vector<AskedColumn>& columns,
             const std::string& from);

  /// Moves on to the next block, which has rows. False if there is none.
  bool next();
  /// REQUIRES: next().
  [[nodiscard]] const NativeReader& block() const { return reader_; }
  /// Bytes that are not charged to the budget.
  [[nodiscard]] std::size_t memory() const { return reader_.memory(); }

 private:
  query::Budget& budget_;
  NativeReader reader_;
  ClickHouseAnswer answer_;
};

}  // namespace analytics::cluster
