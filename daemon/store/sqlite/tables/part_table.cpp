#include "daemon/store/sqlite/tables/part_table.h"

#include <algorithm>

#include "daemon/parts/bytes.h"
#include "daemon/store/sqlite/db/changes.h"
#include "daemon/store/sqlite/db/rows.h"
#include "daemon/store/sqlite/tables/event_hours.h"

namespace analytics::sqlite {
namespace {

/// Values of the column parts.state. They are stored: never change one.
constexpr int kWriting = 0;
constexpr int kCopy = 1;
constexpr int kLeaving = 2;
constexpr int kSealed = 3;

/// Factor by which the id of a row of part_columns is computed: the part's id times this number,
/// plus the column's id. These ids are stored: never change the number.
constexpr std::int64_t kColumnsOfPart = parts::kMaxId + 1;
// bytes of columns deleted at once, plus up to one column
constexpr std::int64_t kRemovedBytes = 262'144;

Days day_of(UnixMillis time) { return std::chrono::floor<std::chrono::days>(time); }

std::int64_t row_of(query::PartId part, std::uint32_t column) {
  return part * kColumnsOfPart + column;
}

}  // namespace

bool has_sealed_parts(Connection& connection) {
  Statement select(connection, "SELECT 1 FROM parts WHERE state = ?");
  return select.query(kSealed).next();
}

PartTable::PartTable(Connection& connection)
    : connection_(connection),
      note_due_(connection, "INSERT OR IGNORE INTO part_days(site, day) VALUES(?, ?)"),
      note_unsealed_(connection, "INSERT OR IGNORE INTO unsealed_days(site, day) VALUES(?, ?)"),
      leave_(connection, "UPDATE parts SET state = " + std::to_string(kLeaving) +
                             " WHERE site = ? AND day = ? AND state = " + std::to_string(kCopy)),
      find_leaving_(connection, "SELECT id FROM parts WHERE state = ? LIMIT 1"),
      settle_(connection, "DELETE FROM part_days WHERE site = ? AND day = ?"),
      add_part_(connection,
                "INSERT INTO parts(site, day, state, first_time, end_time, events, bytes)"
                " VALUES(?, ?, " +
                    std::to_string(kWriting) + ", ?, ?, ?, ?)"),
      add_column_(connection, "INSERT INTO part_columns(id, data) VALUES(?, ?)") {
  // Marks for deletion the parts that an earlier run had not completed.
  connection.execute("UPDATE parts SET state = " + std::to_string(kLeaving) +
                     " WHERE state = " + std::to_string(kWriting));
  read_days();
  count();
}

void PartTable::read_days() {
  copied_.clear();
  due_.clear();
  Statement read(connection_, "SELECT DISTINCT site, day FROM parts WHERE state = ?");
  for (auto rows = read.query(kCopy); rows.next();) {
    copied_.emplace(rows.int64(0), to_day(rows.int64(1)));
  }
  Statement due(connection_, "SELECT site, day FROM part_days");
  for (auto rows = due.query(); rows.next();) {
    due_.try_emplace(SiteDay(rows.int64(0), to_day(rows.int64(1))));
  }
  has_changed_ = false;
}

void PartTable::committed() {
  if (has_changed_) count();
  has_changed_ = false;
}

void PartTable::count() {
  auto counts = made_;
  Statement parts(connection_,
                  "SELECT state, count(*), coalesce(sum(events), 0), coalesce(sum(bytes), 0)"
                  " FROM parts GROUP BY state");
  for (auto rows = parts.query(); rows.next();) {
    const store::ColumnCounts::Parts of_state{rows.int64(1), rows.int64(2), rows.int64(3)};
    if (rows.int64(0) == kCopy) counts.copies = of_state;
    if (rows.int64(0) == kSealed) counts.sealed = of_state;
  }
  Statement days(connection_, "SELECT count(*) FROM unsealed_days");
  if (auto rows = days.query(); rows.next()) counts.unsealed_days = rows.int64(0);
  const std::scoped_lock lock(mutex_);
  counts_ = counts;
}

store::ColumnCounts PartTable::counts() const {
  const std::scoped_lock lock(mutex_);
  return counts_;
}

void PartTable::touch(SiteId site, UnixMillis from, UnixMillis to) {
  const auto first = SiteDay(site, day_of(from));
  const auto last = SiteDay(site, day_of(to));
  touch(first);
  if (first == last) return;
  touch(last);
  // The days in between matter only if parts copy their rows, because these parts contain the old
  // state of a visit.
  std::vector<SiteDay> between(copied_.upper_bound(first), copied_.lower_bound(last));
  for (const auto& day : between) touch(day);
  if (making_ && making_->kind != Kind::kRewrite && site == making_->days.site &&
      first.second <= making_->days.last && making_->days.first <= last.second) {
    making_->is_touched = true;
  }
}

void PartTable::touch(const SiteDay& day) {
  if (making_ && making_->kind != Kind::kRewrite && making_->days.has(day))
    making_->is_touched = true;
  const auto [at, is_new] = due_.try_emplace(day);
  at->second = {};
  if (!is_new) return;
  has_changed_ = true;
  note_due_.run(day.first, number_of(day.second));
  note_unsealed_.run(day.first, number_of(day.second));
  if (copied_.erase(day) > 0) leave_.run(day.first, number_of(day.second));
}

void PartTable::rolled_back() {
  // The transaction may have added a part, which no longer exists.
  if (making_) making_->is_touched = true;
  if (has_changed_) read_days();
}

void PartTable::forget_site(SiteId site) {
  has_changed_ = true;
  const auto is_of_site = [&](const auto& day) { return day.first == site; };
  std::erase_if(copied_, is_of_site);
  std::erase_if(due_, [&](const auto& each) { return is_of_site(each.first); });
  if (making_ && making_->days.site == site) making_->is_touched = true;
  Statement leave(connection_,
                  "UPDATE parts SET state = " + std::to_string(kLeaving) + " WHERE site = ?");
  leave.run(site);
  for (const char* table : {"part_days", "unsealed_days"}) {
    Statement settle(connection_, std::string("DELETE FROM ") + table + " WHERE site = ?");
    settle.run(site);
  }
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

std::optional<SiteDay> PartTable::next_unsealed(SiteId after, Days last) {
  Statement select(connection_,
                   "SELECT site, day FROM unsealed_days WHERE site > ? AND day <= ?"
                   " AND day NOT IN (SELECT day FROM salts) ORDER BY site, day LIMIT 1");
  auto rows = select.query(after, number_of(last));
  if (!rows.next()) return std::nullopt;
  return SiteDay(rows.int64(0), to_day(rows.int64(1)));
}

query::PartId PartTable::add_part(const parts::PartBytes& part) {
  const auto& [site, first, last] = making_->days;
  const auto& head = part.head;
  const auto range = head.whole_range();
  const auto day = std::chrono::floor<std::chrono::days>(range.from);
  std::size_t bytes = 0;
  for (const auto& [column, packed] : part.columns) bytes += packed.size();
  add_part_.run(site, number_of(day), seconds(range.from), seconds(range.to),
                std::int64_t{head.events} + head.engagements, static_cast<std::int64_t>(bytes));
  const auto id = connection_.last_insert_id();
  making_->parts.push_back(id);
  add_column(id, parts::kHeadId, head.write());
  Statement note(connection_, "INSERT INTO part_imports(import, part) VALUES(?, ?)");
  for (const auto import : part.imports) note.run(import, id);
  return id;
}

void PartTable::add_column(query::PartId part, std::uint32_t column, std::string_view bytes) {
  add_column_.run(row_of(part, column), bytes_of(parts::with_checksum(bytes, part, column)));
}

void PartTable::set_state(const std::vector<query::PartId>& parts, int state) {
  Statement set(connection_, "UPDATE parts SET state = ? WHERE id = ?");
  for (const auto part : parts) set.run(state, part);
}

/// Marks for deletion the parts that copy the rows of a day. The day then no longer waits to be
/// copied.
void PartTable::drop_copies(const SiteDay& day) {
  has_changed_ = true;
  leave_.run(day.first, number_of(day.second));
  settle_.run(day.first, number_of(day.second));
  due_.erase(day);
  copied_.erase(day);
}

void PartTable::finish_copies() {
  const auto made = std::exchange(making_, std::nullopt);
  const SiteDay day(made->days.site, made->days.first);
  drop_copies(day);
  set_state(made->parts, kCopy);
  if (!made->parts.empty()) copied_.insert(day);
}

void PartTable::finish_sealed(std::int64_t events, bool rows_stay) {
  const auto made = std::exchange(making_, std::nullopt);
  const auto& [site, first, last] = made->days;
  made_.sealed_events += events;
  for (auto day = first; day <= last; day += std::chrono::days(1)) {
    const bool had_copies = copied_.contains({site, day}) || due_.contains({site, day});
    drop_copies({site, day});
    if (!rows_stay || !had_copies) continue;
    due_.try_emplace({site, day});  // the remaining rows of the day may be enough for a copy
    note_due_.run(site, number_of(day));
  }
  set_state(made->parts, kSealed);
  Statement done(connection_, "DELETE FROM unsealed_days WHERE site = ? AND day >= ? AND day <= ?");
  done.run(site, number_of(first), number_of(last));
}

void PartTable::finish_rewrite(const std::vector<query::PartId>& replaced) {
  has_changed_ = true;
  ++made_.rewritten_parts;
  const auto made = std::exchange(making_, std::nullopt);
  set_state(made->parts, kSealed);
  set_state(replaced, kLeaving);
}

void PartTable::discard() {
  const auto made = std::exchange(making_, std::nullopt);
  set_state(made->parts, kLeaving);
  if (made->is_touched || made->kind != Kind::kCopies) return;
  const auto due = due_.find({made->days.site, made->days.first});
  if (due != due_.end()) due->second.is_left_alone = true;
}

std::optional<SiteId> PartTable::next_with_sealed(SiteId after) {
  Statement select(connection_, "SELECT min(site) FROM parts WHERE site > ? AND state = ?");
  auto rows = select.query(after, kSealed);
  return rows.next() ? rows.maybe_int64(0) : std::nullopt;
}

std::vector<PartTable::SealedPart> PartTable::mergeable(SiteId site, std::int64_t most) {
  Statement select(connection_,
                   "SELECT id, first_time, end_time, events FROM parts WHERE site = ? AND state = ?"
                   " ORDER BY first_time DESC, id DESC");
  std::optional<SealedPart> younger;
  std::int64_t end = 0;
  std::int64_t events = 0;
  for (auto rows = select.query(site, kSealed); rows.next();) {
    const SealedPart older{rows.int64(0), site, rows.int64(1), rows.int64(2), rows.int64(3)};
    end = std::max(end, rows.int64(2));
    const bool is_worth_it = 2 * events >= rows.int64(3) && events + rows.int64(3) <= most;
    if (younger && is_worth_it && end - older.first_time <= query::EventPart::kMaxPartSeconds) {
      return {older, *younger};
    }
    younger = older;
    end = rows.int64(2);
    events = rows.int64(3);
  }
  return {};
}

void PartTable::drop(const SealedPart& part) {
  has_changed_ = true;
  set_state({part.id}, kLeaving);
}

std::optional<std::int64_t> PartTable::first_sealed(SiteId site) {
  Statement select(
      connection_,
      "SELECT id, first_time FROM parts WHERE site = ? AND state = ? ORDER BY first_time");
  std::optional<std::int64_t> first;
  for (auto rows = select.query(site, kSealed); rows.next();) {
    if (first && rows.int64(1) >= *first) break;
    const auto bytes = read_column(connection_, rows.int64(0), parts::kHeadId);
    const auto head = parts::PartHead::read(bytes);
    if (head.events == 0) continue;  // the part has only engagements
    first = std::min(first.value_or(INT64_MAX), seconds(head.range.from));
  }
  return first;
}

std::optional<query::PartId> PartTable::next_sealed(SiteId site, query::PartId after) {
  Statement select(connection_,
                   "SELECT min(id) FROM parts WHERE site = ? AND state = ? AND id > ?");
  auto rows = select.query(site, kSealed, after);
  return rows.next() ? rows.maybe_int64(0) : std::nullopt;
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
  std::optional<std::int64_t> last;
  {
    Statement sizes(connection_,
                    "SELECT id, length(data) FROM part_columns WHERE id >= ? AND id < ?");
    auto rows = sizes.query(row_of(part, 0), row_of(part + 1, 0));
    for (std::int64_t bytes = 0; bytes < kRemovedBytes && rows.next(); bytes += rows.int64(1)) {
      last = rows.int64(0);
    }
  }
  if (last) {
    Statement columns(connection_, "DELETE FROM part_columns WHERE id >= ? AND id <= ?");
    columns.run(row_of(part, 0), *last);
    return true;
  }
  Statement imports(connection_, "DELETE FROM part_imports WHERE part = ?");
  imports.run(part);
  Statement remove(connection_, "DELETE FROM parts WHERE id = ?");
  remove.run(part);
  return true;
}

std::vector<PartTable::SealedPart> selected_parts(Connection& connection,
                                                  const EventSelection& what, query::PartId after,
                                                  query::PartId last, std::int64_t most) {
  auto from = what.from;
  auto to = what.to;
  if (what.visitor_of) {
    const auto day = std::chrono::floor<std::chrono::days>(what.visitor_of->time);
    from = std::max<UnixSeconds>(from, day);
    to = std::min<UnixSeconds>(to, day + std::chrono::days(1));
  }
  Statement select(connection,
                   "SELECT p.id, p.first_time, p.end_time, p.events FROM parts p"
                   " WHERE p.id > ?1 AND p.id <= ?2 AND p.site = ?3 AND p.state = ?4"
                   " AND p.first_time < ?6 AND p.end_time > ?5 AND (?7 = 0 OR EXISTS"
                   " (SELECT 1 FROM part_imports i WHERE i.import = ?7 AND i.part = p.id))"
                   " ORDER BY p.id LIMIT ?8");
  return read_all(
      select.query(after, last, what.site, kSealed, seconds(from), seconds(to), what.import, most),
      [&](const Rows& row) {
        return PartTable::SealedPart{row.int64(0), what.site, row.int64(1), row.int64(2),
                                     row.int64(3)};
      });
}

std::optional<std::int64_t> last_sealed(Connection& connection, SiteId site) {
  Statement select(connection, "SELECT max(end_time) - 1 FROM parts WHERE site = ? AND state = ?");
  auto rows = select.query(site, kSealed);
  return rows.next() ? rows.maybe_int64(0) : std::nullopt;
}

std::int64_t sealed_events(Connection& connection) {
  Statement select(connection, "SELECT coalesce(sum(events), 0) FROM parts WHERE state = ?");
  auto rows = select.query(kSealed);
  return rows.next() ? rows.int64(0) : 0;
}

std::vector<StoredPart> parts_of(Connection& connection, SiteId site, const TimeRange& range) {
  Statement select(
      connection,
      "SELECT id, day, end_time, state FROM parts WHERE site = ? AND day >= ? AND day <= ?"
      " AND state IN (?, ?) AND first_time < ? AND end_time > ? ORDER BY id");
  const auto from = std::max(seconds(range.from), -kMaxSeconds);
  const auto to = std::min(seconds(range.to), kMaxSeconds);
  const auto day = [](std::int64_t time) {
    return number_of(std::chrono::floor<std::chrono::days>(to_time(time)));
  };
  const auto last_day = [&](std::int64_t end) { return to_day(day(end - 1)); };
  const auto first = day(from - query::EventPart::kMaxPartSeconds);
  return read_all(select.query(site, first, day(to), kCopy, kSealed, to, from),
                  [&](const Rows& row) {
                    return StoredPart{row.int64(0), to_day(row.int64(1)), last_day(row.int64(2)),
                                      row.int64(3) == kCopy};
                  });
}

std::string read_column(Connection& connection, query::PartId part, std::uint32_t column) {
  Statement select(connection, "SELECT data FROM part_columns WHERE id = ?");
  auto rows = select.query(row_of(part, column));
  if (!rows.next()) throw parts::Damaged("a column is missing");
  return std::string(parts::verified(text_of(rows.blob(0)), part, column));
}

}  // namespace analytics::sqlite
