// Counts a journal's rows, for comparison with the rows that the cluster has.
#include "daemon/store/sqlite/db/change_log.h"
#include "daemon/store/sqlite/db/changes.h"
#include "daemon/store/sqlite/db/rows.h"
#include "daemon/store/sqlite/journal/journal_reader.h"

namespace analytics::sqlite {
namespace {

/// Returns " AND …", an SQL condition that leaves out rows of `table` that this node may have
/// deleted because the cluster has them. `column`: the column of journal_forgotten with the highest
/// id of such rows.
std::string but_forgotten(Connection& connection, const std::string& column,
                          const std::string& table) {
  if (forgotten(connection).event == 0) return {};
  return " AND " + table + ".id > coalesce((SELECT f." + column +
         " FROM journal_forgotten f WHERE f.site = " + table + ".site), 0)";
}

store::JournalCount read_count(const Rows& row) {
  return {row.int64(0), row.int64(1), row.int64(2), row.int64(3)};
}

store::JournalGroup read_group(const Rows& row) {
  return {row.int64(0), row.int64(1), row.int64(2), row.int64(3), row.int64(4), row.int64(5)};
}

/// Returns SQL expressions for a group of ids (see JournalGroup): its number, the count of the ids,
/// and the sums over them.
std::string grouped_sql() {
  const auto size = std::to_string(store::JournalGroup::kNumbers);
  return "id / " + size + ", count(*), sum(id % " + size + "), sum((id % " + size + ") * (id % " +
         size + "))";
}

}  // namespace

Result<std::vector<store::JournalCount>> JournalReader::count_events(EventId upto) {
  return guarded_snapshot(connection_, [&] {
    Statement select(connection_,
                     "SELECT site, CAST(strftime('%Y%m', time, 'unixepoch') AS INTEGER), count(*),"
                     " sum(id % 65521) FROM events e WHERE id <= ?" +
                         but_forgotten(connection_, "event", "e") + " GROUP BY 1, 2");
    return read_all(select.query(upto), read_count);
  });
}

Result<std::vector<store::JournalCount>> JournalReader::count_visits(UnixSeconds before) {
  return guarded_snapshot(connection_, [&] {
    Statement select(connection_,
                     "SELECT site, 0, count(*), sum(pageviews) + sum(events) + sum(length)"
                     " FROM visits v WHERE started + length < ?" +
                         but_forgotten(connection_, "visit", "v") + " GROUP BY site");
    return read_all(select.query(seconds(before) * 1'000), read_count);
  });
}

Result<std::vector<store::JournalGroup>> JournalReader::group_events(EventId upto) {
  return guarded_snapshot(connection_, [&] {
    Statement select(connection_, "SELECT CAST(strftime('%Y%m', time, 'unixepoch') AS INTEGER), " +
                                      grouped_sql() + ", 0 FROM events e WHERE id <= ?" +
                                      but_forgotten(connection_, "event", "e") + " GROUP BY 1, 2");
    return read_all(select.query(upto), read_group);
  });
}

Result<std::vector<store::JournalGroup>> JournalReader::group_visits(UnixSeconds before) {
  return guarded_snapshot(connection_, [&] {
    Statement select(connection_, "SELECT 0, " + grouped_sql() +
                                      ", sum(pageviews) + sum(events) + sum(length) FROM visits v"
                                      " WHERE started + length < ?" +
                                      but_forgotten(connection_, "visit", "v") + " GROUP BY 2");
    return read_all(select.query(seconds(before) * 1'000), read_group);
  });
}

}  // namespace analytics::sqlite
