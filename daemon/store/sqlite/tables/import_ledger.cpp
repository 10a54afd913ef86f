#include "daemon/store/sqlite/tables/import_ledger.h"

#include <algorithm>

#include "common/wire/api_types.h"
#include "daemon/store/sqlite/db/rows.h"

namespace analytics::sqlite {
namespace {

constexpr int kShownRanges = 100;             // maximum number of ranges that an error lists
constexpr std::int64_t kExpireAnswers = 100;  // number of answers deleted at once

bool equal(Bytes stored, const Digest& digest) {
  return std::equal(stored.begin(), stored.end(), digest.begin(), digest.end());
}

}  // namespace

ImportLedger::ImportLedger(Connection& connection)
    : connection_(connection),
      find_import_(connection, "SELECT id, log FROM imports WHERE site = ? AND name = ?"),
      exists_(connection, "SELECT 1 FROM imports WHERE id = ?"),
      make_import_(
          connection,
          "INSERT INTO imports(site, name, log, created_at, first_event) VALUES(?, ?, ?, ?,"
          " (SELECT coalesce(max(id), 0) + 1 FROM events)) RETURNING id"),
      before_end_(connection,
                  "SELECT first, last, content, outcomes FROM import_ranges WHERE import = ?"
                  " AND source = ? AND first < ? ORDER BY first DESC LIMIT 1"),
      elsewhere_(connection,
                 "SELECT r.content FROM imports i JOIN import_ranges r ON r.import = i.id"
                 " AND r.source = ?3 AND r.first = ?4 WHERE i.site = ?1 AND i.name != ?2"
                 " AND r.last = ?5"),
      ranges_(connection,
              "SELECT first, last FROM import_ranges WHERE import = ? AND source = ?"
              " ORDER BY first LIMIT ?"),
      sites_of_(connection,
                "SELECT i.site, s.domain FROM imports i JOIN sites s ON s.id = i.site"
                " WHERE i.name = ? AND s.account = ?"),
      hold_(connection,
            "INSERT INTO import_ranges(import, source, first, last, content, outcomes)"
            " VALUES(?, ?, ?, ?, ?, ?)"),
      count_(connection, "UPDATE imports SET events = events + ? WHERE id = ?"),
      find_answer_(connection,
                   "SELECT content, answer, expires_at FROM batch_answers WHERE hash = ?"),
      keep_answer_(connection,
                   "INSERT OR REPLACE INTO batch_answers(hash, content, answer, expires_at)"
                   " VALUES(?, ?, ?, ?)"),
      spend_record_(connection,
                    "INSERT INTO record_ids(site, hash, import) VALUES(?1, ?2, ?3)"
                    " ON CONFLICT(site, hash) DO UPDATE SET import = ?3 WHERE import != 0"
                    " AND import NOT IN (SELECT id FROM imports)") {}

std::optional<ImportId> ImportLedger::find_import(SiteId site, const std::string& name) {
  auto rows = find_import_.query(site, name);
  return rows.next() ? std::optional(rows.int64(0)) : std::nullopt;
}

void ImportLedger::mark_incomplete(EventId last) {
  // An import has no event with an id below its `first_event`.
  Statement mark(connection_, "UPDATE imports SET elsewhere = 1 WHERE first_event <= ?");
  mark.run(last);
}

void ImportLedger::mark_incomplete(const std::set<ImportId>& imports) {
  Statement mark(connection_, "UPDATE imports SET elsewhere = 1 WHERE id = ?");
  for (const auto import : imports) mark.run(import);
}

void ImportLedger::require_whole(ImportId import) {
  Statement select(connection_, "SELECT 1 FROM imports WHERE id = ? AND elsewhere = 1");
  if (!select.query(import).next()) return;
  throw Error{ErrorCode::kTooOldForCluster,
              "This node does not have all events of the import any more, only ClickHouse does.",
              {}};
}

std::vector<std::string> ImportLedger::names_of(SiteId site, const std::string& name_or_log) {
  if (find_import(site, name_or_log)) return {name_or_log};
  Statement select(connection_, "SELECT name FROM imports WHERE site = ? AND log = ? ORDER BY id");
  std::vector<std::string> names;
  if (name_or_log.empty()) return names;  // an empty name stands for no log
  auto rows = select.query(site, name_or_log);
  while (rows.next()) names.push_back(rows.text(0));
  return names;
}

/// Returns the import of a range; creates the import if it is new. If the range names a rotated
/// access log and the import belongs to no log, for example because its file was replayed alone
/// before, the import joins that log. If the import belongs to another log, for example because the
/// host name of a container has changed, the import moves to the named log.
ImportId ImportLedger::find_or_make(SiteId site, const ImportRange& range, UnixSeconds now) {
  {
    auto rows = find_import_.query(site, range.name);
    if (rows.next()) {
      const auto import = rows.int64(0);
      const bool is_new_part = !range.log.empty() && rows.text(1) != range.log;
      if (is_new_part) {
        Statement set(connection_, "UPDATE imports SET log = ? WHERE id = ?");
        set.run(range.log, import);
      }
      return import;
    }
  }
  auto rows = make_import_.query(site, range.name, range.log, seconds(now));
  rows.next();
  return rows.int64(0);
}

ImportLedger::Claim ImportLedger::claim(SiteId site, const ImportRange& range, UnixSeconds now) {
  const auto [from, to] = range.bytes;
  {
    auto rows = elsewhere_.query(site, range.name, Bytes(range.source), from, to);
    while (rows.next()) {
      if (equal(rows.blob(0), range.content)) return {0, true, true, {}, 0};
    }
  }
  Claim claim;
  claim.import = find_or_make(site, range, now);
  // Stored ranges of a source file are disjoint, so only the last one that begins before the end of
  // the new range can overlap it.
  auto rows = before_end_.query(claim.import, Bytes(range.source), to);
  if (!rows.next() || rows.int64(1) <= from) return claim;
  claim.known = rows.int64(0) == from && rows.int64(1) == to && equal(rows.blob(2), range.content);
  if (!claim.known) refuse(claim.import, range);
  claim.outcomes = LineOutcomes::decode(rows.blob(3));
  return claim;
}

void ImportLedger::keep(const Claim& claim, const ImportRange& range) {
  const auto outcomes = claim.outcomes.encode();
  hold_.run(claim.import, Bytes(range.source), range.bytes.from, range.bytes.to,
            Bytes(range.content), Bytes(outcomes));
  if (claim.events > 0) count_.run(claim.events, claim.import);
}

bool ImportLedger::exists(ImportId import) { return exists_.query(import).next(); }

void ImportLedger::count_totals(const Claim& claim, std::int64_t lines) {
  Statement count(connection_, "UPDATE imports SET totals = totals + ? WHERE id = ?");
  count.run(lines, claim.import);
}

void ImportLedger::refuse(ImportId import, const ImportRange& range) {
  Error error{ErrorCode::kRangeOverlap,
              "The import already has other bytes in this range, or in a part.",
              {}};
  auto rows = ranges_.query(import, Bytes(range.source), kShownRanges);
  while (rows.next()) {
    error.fields.push_back(
        {header::kImportRange, "stored: " + to_text(ByteRange{rows.int64(0), rows.int64(1)})});
  }
  throw error;
}

std::vector<SiteId> ImportLedger::sites_of(const ImportRange& range) {
  std::vector<SiteId> sites;
  auto rows = sites_of_.query(range.name, range.account);
  while (rows.next()) {
    const auto& only = range.only_sites;
    const bool is_seen =
        only.empty() || std::find(only.begin(), only.end(), rows.text(1)) != only.end();
    if (is_seen) sites.push_back(rows.int64(0));
  }
  return sites;
}

bool ImportLedger::spend_record(SiteId site, const Digest& id, ImportId import) {
  spend_record_.run(site, Bytes(id), import);
  return connection_.changes() > 0;
}

void ImportLedger::remove_import(SiteId site, const std::string& name) {
  Statement remove(connection_, "DELETE FROM imports WHERE site = ? AND name = ?");
  remove.run(site, name);
}

void ImportLedger::forget_site(SiteId site) {
  Statement ranges(connection_,
                   "DELETE FROM import_ranges WHERE import IN (SELECT id FROM imports"
                   " WHERE site = ?1 UNION SELECT import FROM removals WHERE site = ?1)");
  ranges.run(site);
  Statement imports(connection_, "DELETE FROM imports WHERE site = ?");
  imports.run(site);
}

bool ImportLedger::remove_ranges(ImportId import, std::int64_t most) {
  Statement ranges(connection_,
                   "DELETE FROM import_ranges WHERE (import, source, first) IN"
                   " (SELECT import, source, first FROM import_ranges WHERE import = ? LIMIT ?)");
  ranges.run(import, most);
  return connection_.changes() > 0;
}

std::optional<Digest> ImportLedger::remove_records(SiteId site, ImportId import, const Digest& from,
                                                   std::int64_t looked) {
  Digest upto{};
  upto.fill(0xff);
  bool more = false;
  {
    Statement bound(connection_,
                    "SELECT hash FROM record_ids WHERE site = ? AND hash > ? LIMIT 1 OFFSET ?");
    auto rows = bound.query(site, Bytes(from), looked);
    more = rows.next() && rows.blob(0).size() == upto.size();
    if (more) std::copy_n(rows.blob(0).begin(), upto.size(), upto.begin());
  }
  Statement remove(connection_,
                   "DELETE FROM record_ids WHERE site = ? AND hash >= ? AND hash <= ?"
                   " AND import = ?");
  remove.run(site, Bytes(from), Bytes(upto), import);
  return more ? std::optional(upto) : std::nullopt;
}

bool ImportLedger::remove_some_records(SiteId site, std::int64_t most) {
  Statement ids(connection_,
                "DELETE FROM record_ids WHERE site = ?1 AND hash IN"
                " (SELECT hash FROM record_ids WHERE site = ?1 LIMIT ?2)");
  ids.run(site, most);
  return connection_.changes() == most;
}

std::optional<std::string> ImportLedger::first_answer(const BatchKey& key, UnixSeconds now) {
  auto rows = find_answer_.query(Bytes(key.hash));
  if (!rows.next() || to_time(rows.int64(2)) <= now) return std::nullopt;
  if (equal(rows.blob(0), key.content)) return rows.text(1);
  throw Error{ErrorCode::kIdempotencyMismatch,
              "This Idempotency-Key was used for another body.",
              {{header::kIdempotencyKey, "was used for another body"}}};
}

void ImportLedger::keep_answer(const BatchKey& key, const std::string& answer) {
  keep_answer_.run(Bytes(key.hash), Bytes(key.content), answer, seconds(key.expires_at));
}

void ImportLedger::expire_answers(UnixSeconds now) {
  Statement answers(connection_,
                    "DELETE FROM batch_answers WHERE hash IN (SELECT hash FROM batch_answers"
                    " WHERE expires_at <= ? LIMIT ?)");
  answers.run(seconds(now), kExpireAnswers);
}

}  // namespace analytics::sqlite
