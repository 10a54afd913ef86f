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

bool ImportUndo::is_due() {
  if (undos_.next()) return true;
  pass_.reset();
  return false;
}

bool ImportUndo::slice() {
  const auto undo = undos_.next();
  if (!undo) return false;
  if (undo->next <= undo->last) {
    remove_events(*undo);
  } else if (!remove_traces(*undo)) {
    if (!pass_ || pass_->import != undo->import) begin_pass(*undo);
    if (look_on() && !rebuild_some()) finish(*undo);
  }
  return true;
}

void ImportUndo::remove_events(Undo undo) {
  // If the last slice found no rows, this one may look at more.
  const auto end = undo.next + (found_none_ ? kReadsOfARow * rows_ : rows_);
  const EventRange range{undo.next, end, undo.site, undo.import};
  std::vector<StoredEvent> events;
  tables_.events.each(range, [&](const auto& event) { events.push_back(event); });
  found_none_ = events.empty();
  for (const auto& event : events) {
    if (const auto visit = tables_.visits.take_out(event)) undos_.add_damaged(undo.import, *visit);
    tables_.parts.touch(undo.site, event.order.first, event.order.first);
    const auto time = seconds(std::chrono::floor<std::chrono::seconds>(event.order.first));
    undo.earliest = std::min(undo.earliest.value_or(time), time);
  }
  undo.next = end;
  undos_.advance(undo, tables_.events.remove(range));
}

std::optional<ImportUndo::Rewrite> ImportUndo::next_rewrite() {
  const auto undo = undos_.next();
  if (!undo || undo->next <= undo->last) return std::nullopt;
  const auto part = tables_.parts.sealed_with(undo->import);
  return part ? std::optional(Rewrite{*part, undo->import}) : std::nullopt;
}

void ImportUndo::rewritten(ImportId import, std::int64_t removed) {
  const auto undo = undos_.next();
  if (undo && undo->import == import) undos_.advance(*undo, removed);
}

/// Ranges and record ids. False when there is none left.
bool ImportUndo::remove_traces(const Undo& undo) {
  if (tables_.ledger.remove_ranges(undo.import, rows_)) return true;
  if (ids_.import != undo.import) ids_ = {undo.import, {}, false};
  if (ids_.done) return false;
  const auto next =
      tables_.ledger.remove_records(undo.site, undo.import, ids_.from, kReadsOfARow * rows_);
  ids_.from = next.value_or(Digest{});
  ids_.done = !next;
  return true;
}

/// A visit and those that became part of it.
std::set<VisitId> ImportUndo::parts_of(VisitId visit) {
  const auto losers = tables_.visit_rows.losers_of(visit);
  std::set<VisitId> parts(losers.begin(), losers.end());
  parts.insert(visit);
  return parts;
}

void ImportUndo::begin_pass(const Undo& undo) {
  pass_.emplace(Pass{});
  pass_->import = undo.import;
  pass_->site = undo.site;
  undos_.follow_merges(undo.import);
  std::int64_t events = 0;
  for (const auto& [id, count] : undos_.damaged(undo.import, kVisitsOfPass)) {
    if (events >= kEventsOfPass) break;
    events += count;
    auto& visit = pass_->visits[id];
    visit.parts = parts_of(id);
    for (const auto part : visit.parts) pass_->whole[part] = id;
  }
}

/// Looks at some more events. True when all that there are have been looked at.
bool ImportUndo::look_on() {
  auto& pass = *pass_;
  const auto end = pass.next + kReadsOfARow * rows_;
  std::vector<StoredEvent> alone;  // perhaps
  tables_.events.each({pass.next, end, pass.site, 0}, [&](const StoredEvent& event) {
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
  for (const auto& event : alone) tables_.visits.clear_stay(event);
  const auto newest = tables_.events.newest();
  pass.next = std::min(end, newest + 1);
  return pass.next > newest;
}

/// Makes some visits again. False when all are made.
bool ImportUndo::rebuild_some() {
  auto& pass = *pass_;
  if (pass.visits.empty()) return false;
  for (std::int64_t rows = 0; rows < rows_ && !pass.visits.empty();) {
    auto first = pass.visits.begin();
    rows += 10 + static_cast<std::int64_t>(first->second.events.size());
    // One that met others meanwhile has events that were not looked for: it waits for the next
    // pass.
    if (parts_of(tables_.visit_rows.winner_of(first->first)) == first->second.parts) {
      tables_.visits.rebuild(first->first, std::move(first->second.events));
      undos_.remove_damaged(pass.import, first->first);
    }
    pass.visits.erase(first);
  }
  return true;
}

/// After a pass: it is over, unless there are more visits.
void ImportUndo::finish(const Undo& undo) {
  if (!undos_.damaged(undo.import, 1).empty()) return pass_.reset();
  auto first = tables_.parts.first_sealed(undo.site);
  if (const auto& row = pass_->first_event) first = std::min(first.value_or(*row), *row);
  tables_.first_events.set(undo.site, first);
  undos_.finish(undo.import);
  finished_ = undo.site;
  pass_.reset();
}

}  // namespace analytics::sqlite
