#pragma once

#include <type_traits>
#include <utility>
#include <vector>

#include "common/run/result.h"
#include "daemon/store/failures.h"
#include "daemon/store/sqlite/db/sqlite.h"

/// Functions that run work on the database and convert exceptions into Errors.
namespace analytics::sqlite {

/// Runs `work` and returns its result, or an Error if it throws Error or SqliteError. Throws
/// StoreLost if a sync failed, because the contents of the disk are unknown then.
template <typename Work>
auto guarded(Work work) -> Result<decltype(work())> {
  try {
    if constexpr (std::is_void_v<decltype(work())>) {
      work();
      return {};
    } else {
      return work();
    }
  } catch (const SqliteError& error) {
    if (error.is_lost_sync()) throw store::StoreLost(error.what());
    return fail(to_error(error));
  } catch (const Error& error) {
    return fail(error);
  }
}

/// Like guarded(), but all reads in `read` see the database as of the same moment.
template <typename Read>
auto guarded_snapshot(Connection& connection, Read read) {
  return guarded([&] {
    const Snapshot snapshot(connection);
    return read();
  });
}

/// Runs `work`. Throws StoreUnusable instead of a SqliteError if the file is damaged or not a
/// database, because callers can only report that.
template <typename Work>
auto or_unusable(Work work) {
  try {
    return work();
  } catch (const SqliteError& error) {
    if (error.is_damage()) throw store::StoreUnusable(error.what());
    throw;
  }
}

/// Calls `work`, then `then`, and returns what `work` returned.
template <typename Work, typename Then>
auto call_then(Work work, Then then) {
  if constexpr (std::is_void_v<decltype(work())>) {
    work();
    then();
  } else {
    auto value = work();
    then();
    return value;
  }
}

/// Runs `change` in a transaction, which is committed if `change` returns and rolled back if it
/// throws. Returns a result or an Error like guarded().
template <typename Change>
auto in_transaction(Connection& connection, Change change) -> Result<decltype(change())> {
  return guarded([&] {
    Transaction transaction(connection);
    return call_then(change, [&] { transaction.commit(); });
  });
}

/// Returns a vector with the result of `read` for each row.
template <typename Read>
auto read_all(Rows rows, Read read) {
  std::vector<decltype(read(rows))> all;
  while (rows.next()) all.push_back(read(rows));
  return all;
}

}  // namespace analytics::sqlite
