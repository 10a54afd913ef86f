#include "daemon/store/sqlite/journal/journal_reader.h"

#include <algorithm>

#include "daemon/store/sqlite/db/changes.h"
#include "daemon/store/sqlite/db/rows.h"
#include "daemon/store/sqlite/removal/expiry.h"
#include "daemon/store/sqlite/tables/cluster_removals.h"
#include "daemon/store/sqlite/tables/late_events.h"

namespace analytics::sqlite {
namespace {

using store::JournalBlock;
using store::JournalChanges;
using store::JournalEnd;
using store::JournalEvent;
using store::JournalState;
using store::JournalVisit;

constexpr std::int64_t kChangesAtOnce = 20'000;

// Returns the statement that reads events in a range of ids. NULLs in its rows are read as 0 or as
// empty texts.
std::string events_sql() {
  return "SELECT e.id, e.site, e.time, e.millis, e.visitor, e.visit, e.import, e.passive,"
         " e.revenue_micros, e.engaged_millis, e.scroll_depth, e.key_hash" +
         journal_columns("e", 0) + " FROM events e WHERE e.id > ? AND e.id <= ? ORDER BY e.id";
}
constexpr int kEventTexts = 12;  // index of the first text column in events_sql()

// Returns the statement that reads a visit. The statement looks up no event twice: most visits
// begin with their first page, and many also end with it.
std::string visit_sql() {
  return "SELECT v.site, v.started, v.length, v.pageviews, v.events, v.interactive, v.named, "
         "v.born,"
         " f.visitor, iif(v.entry = v.first, f.path, en.path),"
         " iif(v.entry = v.first, f.hostname, en.hostname),"
         " iif(v.exit = v.first, f.path, ex.path),"
         " iif(v.exit = v.first, f.hostname, ex.hostname)" +
         journal_columns("f", store::kFirstVisitText) +
         " FROM visits v LEFT JOIN events f ON f.id = v.first"
         " LEFT JOIN events en ON en.id = nullif(v.entry, v.first)"
         " LEFT JOIN events ex ON ex.id = nullif(v.exit, v.first) WHERE v.id = ?";
}
constexpr int kVisitTexts = 13;

/// Returns the highest id that any row of the table has had, even if the row was deleted.
std::int64_t last_number(Connection& connection, const char* table) {
  Statement select(connection, "SELECT seq FROM sqlite_sequence WHERE name = ?");
  auto rows = select.query(table);
  return rows.next() ? rows.int64(0) : 0;
}

std::uint64_t newest_change(Connection& connection) {
  return static_cast<std::uint64_t>(last_number(connection, "journal_changes"));
}

}  // namespace

JournalReader::JournalReader(const std::filesystem::path& file)
    : connection_(file, Role::kReader),
      texts_(connection_),
      events_(connection_, events_sql()),
      visit_(connection_, visit_sql()),
      between_(connection_, "SELECT 1 FROM events WHERE id > ? AND id < ? AND site = ? LIMIT 1") {}

bool JournalReader::is_journal() {
  Statement select(connection_, "SELECT 1 FROM journal");
  return select.query().next();
}

std::vector<JournalBlock> JournalReader::blocks(const char* condition) {
  Statement select(connection_, std::string("SELECT number, month, first, last FROM journal_blocks"
                                            " WHERE confirmed_at IS ") +
                                    condition + " ORDER BY number");
  return read_all(select.query(), [](const Rows& row) {
    return JournalBlock{static_cast<std::uint64_t>(row.int64(0)), to_day(row.int64(1)),
                        row.int64(2), row.int64(3)};
  });
}

Result<JournalState> JournalReader::state() {
  return guarded_snapshot(connection_, [&] {
    Statement select(connection_, "SELECT id, shipped, changes, next_block FROM journal");
    auto rows = select.query();
    if (!rows.next())
      throw Error{ErrorCode::kInternal, "The database is not a node of a cluster.", {}};
    JournalState state;
    const auto id = rows.blob(0);
    std::copy_n(id.begin(), std::min(id.size(), state.id.size()), state.id.begin());
    state.shipped = rows.int64(1);
    state.changes = static_cast<std::uint64_t>(rows.int64(2));
    state.next_block = static_cast<std::uint64_t>(rows.int64(3));
    state.planned = blocks("NULL");
    state.forgotten = forgotten_by_site(connection_);
    return state;
  });
}

Result<JournalEnd> JournalReader::end() {
  return guarded_snapshot(connection_, [&] {
    Statement select(connection_,
                     "SELECT written, EXISTS(SELECT 1 FROM removals),"
                     " (SELECT coalesce(min(id), 0) FROM events) FROM visit_marks");
    auto rows = select.query();
    const bool has_mark = rows.next();
    JournalEnd end{has_mark ? rows.int64(0) : 0, newest_change(connection_),
                   last_number(connection_, "sites")};
    if (has_mark) end.oldest = rows.int64(2);
    end.is_removing =
        (has_mark && rows.int64(1) != 0) || ClusterRemovals(connection_).has_work_here();
    Statement removing(connection_,
                       "SELECT site FROM removals UNION SELECT site FROM cluster_removals"
                       " ORDER BY site");
    end.removing = read_all(removing.query(), [](const Rows& row) { return row.int64(0); });
    return end;
  });
}

Result<EventId> JournalReader::each_event(EventId after, EventId upto, const Bounds& bounds,
                                          const Take& take) {
  return guarded_snapshot(connection_, [&] {
    texts_.forget();
    JournalEvent event;
    std::size_t bytes = 0;
    std::size_t count = 0;
    auto rows = events_.query(after, upto);
    for (; rows.next(); ++count) {
      if (bytes >= bounds.bytes || count >= bounds.events) return event.id;
      event.id = rows.int64(0);
      event.site = rows.int64(1);
      event.time = to_unix_millis(rows.int64(2) * 1'000 + rows.int64(3));
      event.visitor = static_cast<std::uint64_t>(rows.int64(4));
      event.visit = rows.int64(5);
      event.import = rows.int64(6);
      event.is_passive = rows.int64(7) != 0;
      event.revenue_micros = rows.int64(8);
      const auto small = [](std::optional<std::int64_t> value) {
        return value ? std::optional(static_cast<std::int32_t>(*value)) : std::nullopt;
      };
      event.engagement = {small(rows.maybe_int64(9)), small(rows.maybe_int64(10))};
      event.key_hash = text_of(rows.blob(11));
      texts_.read(rows, kEventTexts, event.site, 0, event.texts);
      take(event);
      for (const auto text : event.texts) bytes += text.size();
    }
    return upto;
  });
}

void JournalReader::add_visit(VisitId id, std::uint64_t version, std::vector<JournalVisit>& to) {
  auto rows = visit_.query(id);
  if (!rows.next()) return;
  auto& visit = to.emplace_back();
  visit.id = id;
  visit.version = version;
  visit.site = rows.int64(0);
  visit.started = to_unix_millis(rows.int64(1));
  visit.ended = to_unix_millis(rows.int64(1) + rows.int64(2));
  visit.pageviews = rows.int64(3);
  visit.events = rows.int64(4);
  visit.is_interactive = rows.int64(5) != 0;
  visit.is_named = rows.int64(6) != 0;
  const auto born = rows.maybe_int64(7);
  visit.born = born ? to_day(*born) : std::chrono::floor<std::chrono::days>(visit.started);
  visit.visitor = static_cast<std::uint64_t>(rows.int64(8));
  visit.entry_page = texts_.text(visit.site, StringKind::kPath, rows.int64(9));
  visit.entry_hostname = texts_.text(visit.site, StringKind::kHostname, rows.int64(10));
  visit.exit_page = texts_.text(visit.site, StringKind::kPath, rows.int64(11));
  visit.exit_hostname = texts_.text(visit.site, StringKind::kHostname, rows.int64(12));
  texts_.read(rows, kVisitTexts, visit.site, store::kFirstVisitText, visit.texts);
}

/// Returns true if the site may have events between two ids. For ids of events that may be
/// forgotten, this is always true. Events of other sites do not matter, because a JournalRemoval
/// has a single site.
bool JournalReader::has_events_between(SiteId site, EventId after, EventId before) {
  return after <= forgotten_event_ || between_.query(after, before, site).next();
}

void JournalReader::add_change(const Rows& row, JournalChanges& changes,
                               std::set<VisitId>& visits) {
  const auto number = static_cast<std::uint64_t>(row.int64(0));
  const SiteId site = row.int64(2);
  const EventId event = row.int64(3);
  const VisitId visit = row.int64(4);
  switch (static_cast<JournalChange>(row.int64(1))) {
    case JournalChange::kVisit: visits.insert(visit); break;
    case JournalChange::kVisitEnd: {
      JournalVisit gone;
      gone.site = site;
      gone.id = visit;
      gone.born = to_day(row.int64(6));
      gone.version = number;
      gone.is_gone = true;
      changes.visits.push_back(gone);
      break;
    }
    case JournalChange::kMerge:
      changes.moves.push_back({site, visit, 0, row.int64(5), number});
      break;
    case JournalChange::kEventMove: changes.moves.push_back({site, 0, event, visit, number}); break;
    case JournalChange::kEventGone: {
      auto& removals = changes.removals;
      const bool goes_on = !removals.empty() && removals.back().site == site &&
                           removals.back().first != 0 && removals.back().last < event &&
                           !has_events_between(site, removals.back().last, event);
      if (goes_on) {
        removals.back().last = event;
      } else {
        removals.push_back({site, event, event});
      }
      break;
    }
    case JournalChange::kSiteGone: changes.removals.push_back({site, 0, event}); break;
  }
}

Result<JournalChanges> JournalReader::changes(std::uint64_t after) {
  return guarded_snapshot(connection_, [&] {
    texts_.forget();
    forgotten_event_ = forgotten(connection_).event;
    JournalChanges changes;
    changes.last = after;
    std::set<VisitId> visits;
    Statement select(connection_,
                     "SELECT number, kind, site, coalesce(event, 0), coalesce(visit, 0),"
                     " coalesce(winner, 0), coalesce(born, 0) FROM journal_changes"
                     " WHERE number > ? ORDER BY number LIMIT ?");
    auto rows = select.query(static_cast<std::int64_t>(after), kChangesAtOnce);
    std::int64_t count = 0;
    for (; rows.next(); ++count) {
      add_change(rows, changes, visits);
      changes.last = static_cast<std::uint64_t>(rows.int64(0));
    }
    changes.is_all = count < kChangesAtOnce;
    // The visits are read in this snapshot, which contains all their changes up to `version`.
    const auto version = newest_change(connection_);
    for (const auto visit : visits) add_visit(visit, version, changes.visits);
    return changes;
  });
}

Result<std::vector<JournalVisit>> JournalReader::visits_of(EventId first, EventId last) {
  return guarded_snapshot(connection_, [&] {
    texts_.forget();
    Statement select(connection_,
                     "SELECT DISTINCT coalesce(m.winner, e.visit) FROM events e"
                     " LEFT JOIN visit_merges m ON m.loser = e.visit"
                     " WHERE e.id >= ? AND e.id <= ? AND e.visit IS NOT NULL");
    return read_visits(select, first, last);
  });
}

Result<std::vector<JournalVisit>> JournalReader::visits_between(VisitId first, VisitId last) {
  return guarded_snapshot(connection_, [&] {
    texts_.forget();
    Statement select(connection_, "SELECT id FROM visits WHERE id >= ? AND id <= ?");
    return read_visits(select, first, last);
  });
}

/// Returns the visits whose ids `select` finds for the range from `first` to `last`.
std::vector<JournalVisit> JournalReader::read_visits(Statement& select, std::int64_t first,
                                                     std::int64_t last) {
  const auto ids =
      read_all(select.query(first, last), [](const Rows& row) { return row.int64(0); });
  std::vector<JournalVisit> visits;
  const auto version = newest_change(connection_);
  for (const auto id : ids) add_visit(id, version, visits);
  return visits;
}

Result<std::vector<store::JournalMove>> JournalReader::merges() {
  return guarded_snapshot(connection_, [&] {
    const auto version = newest_change(connection_);
    Statement select(connection_, "SELECT site, loser, winner FROM visit_merges");
    return read_all(select.query(), [&](const Rows& row) {
      return store::JournalMove{row.int64(0), row.int64(1), 0, row.int64(2), version};
    });
  });
}

Result<std::vector<store::JournalSite>> JournalReader::sites() {
  return guarded_snapshot(connection_, [&] {
    Statement select(connection_,
                     "SELECT id, domain, first_event_at, last_time FROM sites"
                     " LEFT JOIN journal_forgotten ON site = id ORDER BY id");
    const auto time = [](std::optional<std::int64_t> value) {
      return value ? std::optional(to_time(*value)) : std::nullopt;
    };
    return read_all(select.query(), [&](const Rows& row) {
      const SiteId site = row.int64(0);
      const auto last = std::max(last_row(connection_, site), row.maybe_int64(3));
      return store::JournalSite{site, row.text(1), time(row.maybe_int64(2)), time(last)};
    });
  });
}

Result<std::vector<store::JournalExpiry>> JournalReader::expired(UnixSeconds now) {
  return guarded_snapshot(connection_, [&] {
    const auto by_default = noted_default(connection_).value_or(DefaultKeep{});
    Statement select(connection_,
                     std::string("SELECT ") + kSiteColumns + " FROM sites ORDER BY id");
    std::vector<store::JournalExpiry> expired;
    for (const auto& site : read_all(select.query(), read_site)) {
      if (!site.keep && now < by_default.since) continue;
      const auto until = kept_from(site, by_default.keep, now);
      if (until) expired.push_back({site.id, *until});
    }
    return expired;
  });
}

Result<std::vector<store::OutcomeCount>> JournalReader::drops(UnixSeconds from) {
  return guarded_snapshot(connection_, [&] {
    Statement select(connection_,
                     "SELECT site, hour, outcome, count FROM ingest_counters"
                     " WHERE hour >= ? AND outcome != ?");
    return read_all(
        select.query(seconds(from), static_cast<int>(EventOutcome::kStored)), [](const Rows& row) {
          return store::OutcomeCount{row.int64(0), to_time(row.int64(1)),
                                     static_cast<EventOutcome>(row.int64(2)), row.int64(3)};
        });
  });
}

Result<std::vector<store::LateDay>> JournalReader::late_days() {
  return guarded_snapshot(connection_, [&] { return late_days_of_all(connection_); });
}

Result<std::vector<VisitId>> JournalReader::stored_among(std::span<const VisitId> visits) {
  return guarded_snapshot(connection_, [&] {
    Statement select(connection_, "SELECT 1 FROM visits WHERE id = ?");
    std::vector<VisitId> stored;
    for (const auto visit : visits) {
      if (select.query(visit).next()) stored.push_back(visit);
    }
    return stored;
  });
}

Result<std::vector<store::ClusterRemoval>> JournalReader::cluster_removals() {
  return guarded_snapshot(connection_, [&] { return ClusterRemovals(connection_).all(); });
}

Result<std::vector<store::JournalRange>> JournalReader::recently_confirmed() {
  return guarded([&] {
    Statement select(connection_,
                     "SELECT DISTINCT first, last FROM journal_blocks WHERE confirmed_at >="
                     " (SELECT max(confirmed_at) FROM journal_blocks) - ? ORDER BY first");
    return read_all(select.query(store::kMayBeUnwritten.count()), [](const Rows& row) {
      return store::JournalRange{row.int64(0), row.int64(1)};
    });
  });
}

Result<std::vector<JournalBlock>> JournalReader::confirmed() {
  return guarded_snapshot(connection_, [&] { return blocks("NOT NULL"); });
}

Result<std::unique_ptr<JournalReader>> open_journal(const std::filesystem::path& database) {
  return guarded([&]() -> std::unique_ptr<JournalReader> {
    return or_unusable([&] {
      auto reader = std::make_unique<JournalReader>(database);
      if (!reader->is_journal()) {
        throw Error{ErrorCode::kInvalidParameter, "the database is not a node of a cluster", {}};
      }
      return reader;
    });
  });
}

}  // namespace analytics::sqlite
