#include "daemon/store/sqlite/part_table.h"

#include <algorithm>

#include "daemon/parts/bytes.h"
#include "daemon/store/sqlite/changes.h"
#include "daemon/store/sqlite/event_hours.h"
#include "daemon/store/sqlite/rows.h"

namespace analytics::sqlite {
namespace {

/// Values of parts.state. Stored: never change one.
constexpr int kWriting = 0;
constexpr int kRead = 1;
constexpr int kLeaving = 2;

/// part_columns.id is the part's times this, plus the column's. Stored.
constexpr std::int64_t kColumnsOfPart = 64;
constexpr int kColumnsOfSlice = 4;  // removed at once, of 1 MiB at most

Days day_of(UnixMillis time) { return std::chrono::floor<std::chrono::days>(time); }
std::int64_t number_of(Days day) { return day.time_since_epoch().count(); }
Days to_day(std::int64_t number) { return Days(std::chrono::days(number)); }

std::int64_t row_of(query::PartId part, std::uint32_t column) {
  return part * kColumnsOfPart + column;
}

Bytes bytes_of(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

}  // namespace

PartTable::PartTable(Connection& connection)
    : connection_(connection),
      note_due_(connection, "INSERT OR IGNORE INTO part_days(site, day) VALUES(?, ?)"),
      leave_(connection, "UPDATE parts SET state = " + std::to_string(kLeaving) +
                             " WHERE site = ? AND day = ?"),
      find_leaving_(connection, "SELECT id FROM parts WHERE state = ? LIMIT 1"),
      settle_(connection, "DELETE FROM part_days WHERE site = ? AND day = ?"),
      add_part_(connection,
                "INSERT INTO parts(site, day, state, first_time, end_time, events)"
                " VALUES(?, ?, " +
                    std::to_string(kWriting) + ", ?, ?, ?)"),
      add_column_(connection, "INSERT INTO part_columns(id, data) VALUES(?, ?)") {
  // What an earlier run was writing when it ended.
  connection.execute("UPDATE parts SET state = " + std::to_string(kLeaving) +
                     " WHERE state = " + std::to_string(kWriting));
  read_days();
}

void PartTable::read_days() {
  copied_.clear();
  due_.clear();
  Statement read(connection_, "SELECT DISTINCT site, day FROM parts WHERE state = ?");
  for (auto rows = read.query(kRead); rows.next();) {
    copied_.emplace(rows.int64(0), to_day(rows.int64(1)));
  }
  Statement due(connection_, "SELECT site, day FROM part_days");
  for (auto rows = due.query(); rows.next();) {
    due_.try_emplace(SiteDay(rows.int64(0), to_day(rows.int64(1))));
  }
  has_changed_ = false;
}

void PartTable::touch(SiteId site, UnixMillis from, UnixMillis to) {
  const auto first = SiteDay(site, day_of(from));
  const auto last = SiteDay(site, day_of(to));
  touch(first);
  if (first == last) return;
  touch(last);
  // Between them only a day with events matters, and each event is touched itself: a copy of its
  // day must go, for it shows the visit as it was.
  std::vector<SiteDay> between(copied_.upper_bound(first), copied_.lower_bound(last));
  for (const auto& day : between) touch(day);
  if (making_ && first < making_->day && making_->day < last) making_->is_touched = true;
}

void PartTable::touch(const SiteDay& day) {
  if (making_ && making_->day == day) making_->is_touched = true;
  const auto [at, is_new] = due_.try_emplace(day);
  at->second = {};
  if (!is_new) return;
  has_changed_ = true;
  note_due_.run(day.first, number_of(day.second));
  if (copied_.erase(day) > 0) leave_.run(day.first, number_of(day.second));
}

void PartTable::rolled_back() {
  // A part that was being added may be gone.
  if (making_) making_->is_touched = true;
  if (has_changed_) read_days();
}

void PartTable::forget_site(SiteId site) {
  has_changed_ = true;
  const auto is_of_site = [&](const auto& day) { return day.first == site; };
  std::erase_if(copied_, is_of_site);
  std::erase_if(due_, [&](const auto& each) { return is_of_site(each.first); });
  if (making_ && making_->day.first == site) making_->is_touched = true;
  Statement leave(connection_,
                  "UPDATE parts SET state = " + std::to_string(kLeaving) + " WHERE site = ?");
  leave.run(site);
  Statement settle(connection_, "DELETE FROM part_days WHERE site = ?");
  settle.run(site);
}

std::optional<SiteDay> PartTable::next_due(UnixSeconds now, std::chrono::seconds quiet) {
  std::optional<SiteDay> next;
  for (auto& [day, due] : due_) {
    if (due.is_left_alone) continue;
    if (!due.changed) due.changed = now;
    const bool is_over = day.second + std::chrono::days(1) <= now;
    if (!next && is_over && *due.changed + quiet <= now) next = day;
  }
  return next;
}

query::PartId PartTable::add_part(const parts::PartHead& head) {
  const auto& [site, day] = making_->day;
  add_part_.run(site, number_of(day), seconds(head.range.from), seconds(head.range.to),
                static_cast<std::int64_t>(head.events));
  const auto part = connection_.last_insert_id();
  making_->parts.push_back(part);
  add_column(part, parts::kHeadId, head.write());
  return part;
}

void PartTable::add_column(query::PartId part, std::uint32_t column, std::string_view bytes) {
  add_column_.run(row_of(part, column), bytes_of(parts::with_checksum(bytes, part, column)));
}

bool PartTable::finish() {
  const auto made = std::exchange(making_, std::nullopt);
  const auto& [site, day] = made->day;
  leave_.run(site, number_of(day));
  if (made->is_touched) return false;
  Statement read(connection_, "UPDATE parts SET state = ? WHERE id = ?");
  for (const auto part : made->parts) read.run(kRead, part);
  settle_.run(site, number_of(day));
  has_changed_ = true;
  due_.erase(made->day);
  if (!made->parts.empty()) copied_.insert(made->day);
  return true;
}

void PartTable::give_up() {
  const auto made = std::exchange(making_, std::nullopt);
  leave_.run(made->day.first, number_of(made->day.second));
  if (const auto due = due_.find(made->day); due != due_.end() && !made->is_touched) {
    due->second.is_left_alone = true;
  }
}

std::optional<query::PartId> PartTable::next_leaving() {
  auto rows = find_leaving_.query(kLeaving);
  return rows.next() ? std::optional(rows.int64(0)) : std::nullopt;
}

bool PartTable::has_leaving() { return next_leaving().has_value(); }

bool PartTable::remove_some() {
  const auto leaving = next_leaving();
  if (!leaving) return false;
  const auto part = *leaving;
  Statement columns(connection_,
                    "DELETE FROM part_columns WHERE id IN"
                    " (SELECT id FROM part_columns WHERE id >= ? AND id < ? LIMIT ?)");
  columns.run(row_of(part, 0), row_of(part + 1, 0), kColumnsOfSlice);
  if (connection_.changes() > 0) return true;
  Statement remove(connection_, "DELETE FROM parts WHERE id = ?");
  remove.run(part);
  return true;
}

std::vector<StoredPart> parts_of(Connection& connection, SiteId site, const TimeRange& range) {
  Statement select(connection,
                   "SELECT id, day FROM parts WHERE site = ? AND day >= ? AND day <= ?"
                   " AND state = ? AND first_time < ? AND end_time > ? ORDER BY id");
  const auto from = std::max(seconds(range.from), -kMaxSeconds);
  const auto to = std::min(seconds(range.to), kMaxSeconds);
  const auto day = [](std::int64_t time) {
    return number_of(std::chrono::floor<std::chrono::days>(to_time(time)));
  };
  return read_all(select.query(site, day(from), day(to), kRead, to, from), [](const Rows& row) {
    return StoredPart{row.int64(0), to_day(row.int64(1))};
  });
}

std::string read_column(Connection& connection, query::PartId part, std::uint32_t column) {
  Statement select(connection, "SELECT data FROM part_columns WHERE id = ?");
  auto rows = select.query(row_of(part, column));
  if (!rows.next()) throw parts::Damaged("a column is missing");
  const auto data = rows.blob(0);
  const std::string_view bytes(reinterpret_cast<const char*>(data.data()), data.size());
  return std::string(parts::verified(bytes, part, column));
}

}  // namespace analytics::sqlite
