#include "daemon/store/sqlite/import_undo.h"

#include <algorithm>

#include "daemon/store/sqlite/rows.h"

namespace analytics::sqlite {
namespace {

// To remove an event, with its visit, takes as long as to read some or to make a part of a visit.
constexpr std::int64_t kReadsOfARow = 10;
/// Visits and, but for a single larger visit, events that are in memory at once.
constexpr std::int64_t kVisitsOfPass = 20'000;
constexpr std::int64_t kEventsOfPass = 500'000;

}  // namespace

ImportUndo::ImportUndo(Connection& connection, VisitRows& visit_rows, Visits& visits,
                       std::int64_t rows)
    : connection_(connection), visit_rows_(visit_rows), visits_(visits), rows_(rows) {}

std::optional<ImportUndo::Undo> ImportUndo::next_undo() {
  Statement select(connection_,
                   "SELECT import, site, next_event, last_event, earliest FROM undos"
                   " ORDER BY import LIMIT 1");
  auto rows = select.query();
  if (!rows.next()) return std::nullopt;
  return Undo{rows.int64(0), rows.int64(1), rows.int64(2), rows.int64(3), rows.maybe_int64(4)};
}

bool ImportUndo::slice() {
  const auto undo = next_undo();
  if (!undo) {  // also when its site was deleted
    pass_.reset();
    return false;
  }
  if (undo->next <= undo->last) {
    remove_events(*undo);
  } else if (!remove_traces(*undo)) {
    if (!pass_ || pass_->import != undo->import) begin_pass(*undo);
    if (look_on() && !rebuild_some()) finish(*undo);
  }
  return true;
}

void ImportUndo::remove_events(const Undo& undo) {
  // If the last slice found no rows, this one may look at more.
  const auto end = undo.next + (found_none_ ? kReadsOfARow * rows_ : rows_);
  std::vector<StoredEvent> events;
  visit_rows_.each_event({undo.next, end, undo.site, undo.import},
                         [&](const auto& event) { events.push_back(event); });
  found_none_ = events.empty();
  auto earliest = undo.earliest;
  Statement damaged(connection_, "INSERT OR IGNORE INTO undo_visits(import, visit) VALUES(?, ?)");
  for (const auto& event : events) {
    if (const auto visit = visits_.take_out(event)) damaged.run(undo.import, *visit);
    const auto time = seconds(std::chrono::floor<std::chrono::seconds>(event.order.first));
    earliest = std::min(earliest.value_or(time), time);
  }
  Statement remove(connection_, "DELETE FROM events WHERE id >= ? AND id < ? AND import = ?");
  remove.run(undo.next, end, undo.import);
  Statement move(connection_,
                 "UPDATE undos SET next_event = ?, events = max(0, events - ?), earliest = ?"
                 " WHERE import = ?");
  move.run(end, connection_.changes(), earliest, undo.import);
}

/// Ranges and record ids. False when there is none left.
bool ImportUndo::remove_traces(const Undo& undo) {
  Statement ranges(connection_,
                   "DELETE FROM import_ranges WHERE (import, source, first) IN"
                   " (SELECT import, source, first FROM import_ranges WHERE import = ? LIMIT ?)");
  ranges.run(undo.import, rows_);
  if (connection_.changes() > 0) return true;
  if (ids_.import != undo.import) ids_ = {undo.import, {}, false};
  if (ids_.done) return false;
  Digest upto{};
  bool more = false;
  {
    Statement bound(connection_,
                    "SELECT hash FROM record_ids WHERE site = ? AND hash > ? LIMIT 1 OFFSET ?");
    auto rows = bound.query(undo.site, Bytes(ids_.from), kReadsOfARow * rows_);
    more = rows.next() && rows.blob(0).size() == upto.size();
    if (more) std::copy_n(rows.blob(0).begin(), upto.size(), upto.begin());
  }
  if (!more) upto.fill(0xff);
  Statement remove(connection_,
                   "DELETE FROM record_ids WHERE site = ? AND hash >= ? AND hash <= ?"
                   " AND import = ?");
  remove.run(undo.site, Bytes(ids_.from), Bytes(upto), undo.import);
  ids_.from = upto;
  ids_.done = !more;
  return true;
}

/// A visit and those that became part of it.
std::set<VisitId> ImportUndo::parts_of(VisitId visit) {
  const auto losers = visit_rows_.losers_of(visit);
  std::set<VisitId> parts(losers.begin(), losers.end());
  parts.insert(visit);
  return parts;
}

void ImportUndo::begin_pass(const Undo& undo) {
  pass_.emplace();
  pass_->import = undo.import;
  pass_->site = undo.site;
  Statement merged(connection_,
                   "UPDATE OR REPLACE undo_visits SET visit ="
                   " (SELECT winner FROM visit_merges WHERE loser = visit) WHERE import = ?"
                   " AND visit IN (SELECT loser FROM visit_merges)");
  merged.run(undo.import);
  Statement select(connection_,
                   "SELECT u.visit, coalesce(v.events, 0) FROM undo_visits u"
                   " LEFT JOIN visits v ON v.id = u.visit WHERE u.import = ? LIMIT ?");
  auto rows = select.query(undo.import, kVisitsOfPass);
  for (std::int64_t events = 0; events < kEventsOfPass && rows.next(); events += rows.int64(1)) {
    auto& visit = pass_->visits[rows.int64(0)];
    visit.parts = parts_of(rows.int64(0));
    for (const auto part : visit.parts) pass_->whole[part] = rows.int64(0);
  }
}

/// Looks at some more events. True when all that there are have been looked at.
bool ImportUndo::look_on() {
  auto& pass = *pass_;
  const auto end = pass.next + kReadsOfARow * rows_;
  std::vector<StoredEvent> alone;  // perhaps
  visit_rows_.each_event({pass.next, end, pass.site, 0}, [&](const StoredEvent& event) {
    const auto whole = pass.whole.find(event.visit);
    const bool is_stay = event.role == VisitRole::kStay;
    if (whole != pass.whole.end()) {
      pass.visits[whole->second].events.push_back(event);
    } else if (is_stay && event.visit != 0) {
      alone.push_back(event);
    }
    if (is_stay) return;
    const auto time = seconds(std::chrono::floor<std::chrono::seconds>(event.order.first));
    pass.first_event = std::min(pass.first_event.value_or(time), time);
  });
  for (const auto& event : alone) visits_.clear_stay(event);
  Statement last(connection_, "SELECT coalesce(max(id), 0) FROM events");
  auto rows = last.query();
  const auto newest = rows.next() ? rows.int64(0) : 0;
  pass.next = std::min(end, newest + 1);
  return pass.next > newest;
}

/// Makes some visits again. False when all are made.
bool ImportUndo::rebuild_some() {
  auto& pass = *pass_;
  if (pass.visits.empty()) return false;
  Statement done(connection_, "DELETE FROM undo_visits WHERE import = ? AND visit = ?");
  for (std::int64_t rows = 0; rows < rows_ && !pass.visits.empty();) {
    auto first = pass.visits.begin();
    rows += 10 + static_cast<std::int64_t>(first->second.events.size());
    // One that met others meanwhile has events that were not looked for: it waits for the next
    // pass.
    if (parts_of(visit_rows_.winner_of(first->first)) == first->second.parts) {
      visits_.rebuild(first->first, std::move(first->second.events));
      done.run(pass.import, first->first);
    }
    pass.visits.erase(first);
  }
  return true;
}

/// After a pass: it is over, unless there are more visits.
void ImportUndo::finish(const Undo& undo) {
  Statement left(connection_, "SELECT 1 FROM undo_visits WHERE import = ? LIMIT 1");
  if (left.query(undo.import).next()) return pass_.reset();
  Statement first(connection_, "UPDATE sites SET first_event_at = ? WHERE id = ?");
  first.run(pass_->first_event, undo.site);
  Statement remove(connection_, "DELETE FROM undos WHERE import = ?");
  remove.run(undo.import);
  finished_ = undo.site;
  pass_.reset();
}

}  // namespace analytics::sqlite
