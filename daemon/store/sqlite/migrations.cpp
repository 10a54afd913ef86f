#include "daemon/store/sqlite/migrations.h"

namespace analytics::sqlite {
namespace {

// Times are Unix seconds. Ids of sites, goals, links and keys are never used twice (AUTOINCREMENT).
constexpr const char* kMigrations[] = {
    // 1: the registry, events in order of arrival with their dictionary, and what keeps them right.
    R"sql(
CREATE TABLE meta(name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;

CREATE TABLE accounts(
  id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, created_at INTEGER NOT NULL);

CREATE TABLE api_keys(
  id INTEGER PRIMARY KEY AUTOINCREMENT, account INTEGER NOT NULL, hash BLOB NOT NULL UNIQUE,
  prefix TEXT NOT NULL, label TEXT NOT NULL, scopes INTEGER NOT NULL, sites TEXT NOT NULL,
  created_at INTEGER NOT NULL, expires_at INTEGER, last_used_at INTEGER);

CREATE TABLE sites(
  id INTEGER PRIMARY KEY AUTOINCREMENT, account INTEGER NOT NULL, domain TEXT NOT NULL UNIQUE,
  timezone TEXT NOT NULL, created_at INTEGER NOT NULL, first_event_at INTEGER);
CREATE INDEX sites_by_account ON sites(account, id);

CREATE TABLE site_aliases(
  domain TEXT PRIMARY KEY, site INTEGER NOT NULL, expires_at INTEGER NOT NULL) WITHOUT ROWID;

CREATE TABLE goals(
  id INTEGER PRIMARY KEY AUTOINCREMENT, site INTEGER NOT NULL, type INTEGER NOT NULL,
  value TEXT NOT NULL, created_at INTEGER NOT NULL, UNIQUE(site, type, value));

CREATE TABLE shared_links(
  id INTEGER PRIMARY KEY AUTOINCREMENT, site INTEGER NOT NULL, name TEXT NOT NULL,
  token TEXT NOT NULL, created_at INTEGER NOT NULL, UNIQUE(site, name));

CREATE TABLE salts(day INTEGER PRIMARY KEY, salt BLOB NOT NULL, expires_at INTEGER NOT NULL);

-- A dictionary per site and kind, clustered so that a site's texts lie together and leave together.
-- hash is a keyed hash of value: a short index in place of the text twice.
CREATE TABLE strings(
  site INTEGER NOT NULL, kind INTEGER NOT NULL, id INTEGER NOT NULL, hash INTEGER NOT NULL,
  value TEXT NOT NULL, PRIMARY KEY(site, kind, id)) WITHOUT ROWID;
CREATE UNIQUE INDEX strings_by_hash ON strings(site, kind, hash);

-- In order of arrival: an append whatever the number of sites. Small integers; texts are in strings.
CREATE TABLE events(
  id INTEGER PRIMARY KEY, site INTEGER NOT NULL, time INTEGER NOT NULL, visitor INTEGER NOT NULL,
  name INTEGER NOT NULL, hostname INTEGER NOT NULL, path INTEGER NOT NULL, referrer INTEGER,
  utm_source INTEGER, utm_medium INTEGER, utm_campaign INTEGER, utm_content INTEGER,
  utm_term INTEGER, props INTEGER, passive INTEGER, revenue_micros INTEGER,
  revenue_currency INTEGER);

CREATE TABLE ingest_counters(
  site INTEGER NOT NULL, hour INTEGER NOT NULL, outcome INTEGER NOT NULL, count INTEGER NOT NULL,
  PRIMARY KEY(site, hour, outcome)) WITHOUT ROWID;
CREATE TABLE unknown_sites(
  domain TEXT PRIMARY KEY, count INTEGER NOT NULL, last_seen INTEGER NOT NULL) WITHOUT ROWID;

CREATE TABLE idempotency(hash BLOB PRIMARY KEY, expires_at INTEGER NOT NULL) WITHOUT ROWID;

-- Deleted sites whose rows are still leaving; events up to next_event are done.
CREATE TABLE purges(site INTEGER PRIMARY KEY, next_event INTEGER NOT NULL);

)sql",
    // 2: imports: what each site holds of them, and the first answers of bulk requests.
    R"sql(
ALTER TABLE events ADD COLUMN import INTEGER;

CREATE TABLE imports(
  id INTEGER PRIMARY KEY AUTOINCREMENT, site INTEGER NOT NULL, name TEXT NOT NULL,
  created_at INTEGER NOT NULL, events INTEGER NOT NULL DEFAULT 0, UNIQUE(site, name));
-- Bytes of a source that were taken in, as the requests had them: a repeat is known by its hash.
CREATE TABLE import_ranges(
  import INTEGER NOT NULL, source BLOB NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL,
  content BLOB NOT NULL, PRIMARY KEY(import, source, first)) WITHOUT ROWID;
CREATE TABLE batch_answers(
  hash BLOB PRIMARY KEY, content BLOB NOT NULL, answer TEXT NOT NULL,
  expires_at INTEGER NOT NULL) WITHOUT ROWID;

)sql",
    // 3: sources and channels. The names of channels are those of daemon/model/channel.h.
    R"sql(
ALTER TABLE events ADD COLUMN source INTEGER;
ALTER TABLE events ADD COLUMN channel INTEGER;
CREATE TABLE channels(id INTEGER PRIMARY KEY, name TEXT NOT NULL);
INSERT INTO channels(id, name) VALUES
  (1, 'Direct'), (2, 'Organic Search'), (3, 'Paid Search'), (4, 'Organic Social'),
  (5, 'Paid Social'), (6, 'Organic Shopping'), (7, 'Paid Shopping'), (8, 'Organic Video'),
  (9, 'Paid Video'), (10, 'AI Assistants'), (11, 'Email'), (12, 'Affiliates'),
  (13, 'Display'), (14, 'Audio'), (15, 'SMS'), (16, 'Mobile Push'),
  (17, 'Cross-network'), (18, 'Paid Other'), (19, 'Referral');

)sql",
    // 4: old answers of bulk requests are found without reading the others.
    R"sql(
CREATE INDEX batch_answers_by_expiry ON batch_answers(expires_at);
)sql",
    // 5: visits. Their times are milliseconds; first, entry and exit are events. Events that were
    // there before have none.
    R"sql(
ALTER TABLE events ADD COLUMN millis INTEGER;
ALTER TABLE events ADD COLUMN visit INTEGER;
ALTER TABLE purges ADD COLUMN next_visit INTEGER NOT NULL DEFAULT 0;

CREATE TABLE visits(
  id INTEGER PRIMARY KEY, site INTEGER NOT NULL, started INTEGER NOT NULL, length INTEGER NOT NULL,
  first INTEGER NOT NULL, entry INTEGER, entry_delay INTEGER NOT NULL, exit INTEGER,
  exit_lead INTEGER NOT NULL, pageviews INTEGER NOT NULL, events INTEGER NOT NULL,
  interactive INTEGER, named INTEGER);
-- Visits that became part of others; events keep the number they were stored with.
CREATE TABLE visit_merges(
  loser INTEGER PRIMARY KEY, winner INTEGER NOT NULL, site INTEGER NOT NULL);
CREATE INDEX visit_merges_by_winner ON visit_merges(winner);
-- Visits by their visitor, while the salt of the day lives.
CREATE TABLE visit_index(
  day INTEGER NOT NULL, visitor INTEGER NOT NULL, visit INTEGER NOT NULL,
  PRIMARY KEY(day, visitor, visit)) WITHOUT ROWID;
-- One row: see VisitMarks.
CREATE TABLE visit_marks(
  next INTEGER NOT NULL, written INTEGER NOT NULL, indexed INTEGER NOT NULL,
  next_event INTEGER NOT NULL);
INSERT INTO visit_marks SELECT 1, coalesce(max(id), 0), 0, 1 FROM events;
)sql",
    // 6: browsers and places of events: one number for all that is known of either. Its hash is in
    // strings, without a value.
    R"sql(
ALTER TABLE events ADD COLUMN client INTEGER;
ALTER TABLE events ADD COLUMN place INTEGER;
CREATE TABLE clients(
  site INTEGER NOT NULL, id INTEGER NOT NULL, device TEXT, browser TEXT, browser_version TEXT,
  os TEXT, os_version TEXT, PRIMARY KEY(site, id)) WITHOUT ROWID;
CREATE TABLE places(
  site INTEGER NOT NULL, id INTEGER NOT NULL, country TEXT, region TEXT, city TEXT,
  PRIMARY KEY(site, id)) WITHOUT ROWID;
)sql",
    // 7: what a site does not count.
    R"sql(
CREATE TABLE exclusions(
  id INTEGER PRIMARY KEY AUTOINCREMENT, site INTEGER NOT NULL, kind INTEGER NOT NULL,
  value TEXT NOT NULL, UNIQUE(site, kind, value));
)sql",
    // 8: imports that are taken back, and records that are known by ids of their own. first_event
    // is
    // the first that an import can have; events and earliest (seconds) tell how far an undo is.
    R"sql(
ALTER TABLE imports ADD COLUMN first_event INTEGER NOT NULL DEFAULT 0;
CREATE TABLE undos(
  import INTEGER PRIMARY KEY, site INTEGER NOT NULL, name TEXT NOT NULL,
  created_at INTEGER NOT NULL, events INTEGER NOT NULL, next_event INTEGER NOT NULL,
  last_event INTEGER NOT NULL, earliest INTEGER);
-- Visits that have lost events, and are to be made again of the others.
CREATE TABLE undo_visits(
  import INTEGER NOT NULL, visit INTEGER NOT NULL, PRIMARY KEY(import, visit)) WITHOUT ROWID;
CREATE TABLE record_ids(
  site INTEGER NOT NULL, hash BLOB NOT NULL, import INTEGER NOT NULL,
  PRIMARY KEY(site, hash)) WITHOUT ROWID;
)sql",
    // 9: which events a site's hours are among: see EventHours.
    R"sql(
CREATE TABLE event_hours(
  site INTEGER NOT NULL, hour INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL,
  PRIMARY KEY(site, hour)) WITHOUT ROWID;
INSERT INTO event_hours SELECT site, time / 3600, min(id), max(id) FROM events
  WHERE id <= (SELECT written FROM visit_marks) GROUP BY 1, 2;
)sql",
    // 10: ranges remember what became of their lines (LineOutcomes); goals have display names; keys
    // have rate limits; browsers and systems have the names of model/client_names.
    R"sql(
-- Sites whose texts are looked through for those that nothing uses: see TextSweep.
CREATE TABLE text_sweeps(site INTEGER PRIMARY KEY);
ALTER TABLE import_ranges ADD COLUMN outcomes BLOB NOT NULL DEFAULT x'';
ALTER TABLE goals ADD COLUMN display_name TEXT NOT NULL DEFAULT '';
ALTER TABLE api_keys ADD COLUMN rate_limit INTEGER;
UPDATE clients SET browser = CASE
    WHEN browser IN ('Chrome Mobile', 'Chrome Mobile iOS') THEN 'Chrome'
    WHEN browser IN ('Mobile Safari', 'Mobile Safari UI/WKWebView') THEN 'Safari'
    WHEN browser IN ('Firefox Mobile', 'Firefox iOS') THEN 'Firefox'
    WHEN browser IN ('Opera Mobile', 'Opera Mini', 'Opera Touch') THEN 'Opera'
    WHEN browser = 'Edge Mobile' THEN 'Edge'
    WHEN browser = 'IE Mobile' THEN 'IE'
    WHEN browser = 'UC Browser Mobile' THEN 'UC Browser'
    WHEN browser = 'DuckDuckGo Mobile' THEN 'DuckDuckGo'
    WHEN browser IN ('Ecosia iOS', 'Ecosia Android') THEN 'Ecosia'
    WHEN browser IN ('Chrome Mobile WebView', 'Facebook', 'Facebook Messenger', 'Instagram',
      'Messenger', 'Pinterest', 'Snapchat', 'Telegram', 'TikTok', 'Twitter') THEN 'Mobile App'
    ELSE browser END
  WHERE browser IS NOT NULL;
UPDATE clients SET os = 'Mac' WHERE os IN ('Mac OS X', 'macOS', 'Mac OS');
)sql",
    // 11: copies of days as columns, and the days that have changed since: see PartTable.
    R"sql(
CREATE TABLE parts(
  id INTEGER PRIMARY KEY AUTOINCREMENT, site INTEGER NOT NULL, day INTEGER NOT NULL,
  state INTEGER NOT NULL, first_time INTEGER NOT NULL, end_time INTEGER NOT NULL,
  events INTEGER NOT NULL);
CREATE INDEX parts_by_day ON parts(site, day);
CREATE INDEX parts_by_state ON parts(state);
CREATE TABLE part_columns(id INTEGER PRIMARY KEY, data BLOB NOT NULL);
CREATE TABLE part_days(
  site INTEGER NOT NULL, day INTEGER NOT NULL, PRIMARY KEY(site, day)) WITHOUT ROWID;
INSERT INTO part_days SELECT DISTINCT site,
  CASE WHEN hour >= 0 THEN hour / 24 ELSE (hour - 23) / 24 END FROM event_hours;
)sql",
    // 12: parts have another layout: all are made again. Rows of days that are sealed leave: see
    // PartTable.
    R"sql(
INSERT OR IGNORE INTO part_days SELECT DISTINCT site, day FROM parts;
DELETE FROM part_columns;
DROP TABLE parts;
-- newest_column: the highest number of a column. bytes: of all columns.
CREATE TABLE parts(
  id INTEGER PRIMARY KEY AUTOINCREMENT, site INTEGER NOT NULL, day INTEGER NOT NULL,
  state INTEGER NOT NULL, first_time INTEGER NOT NULL, end_time INTEGER NOT NULL,
  events INTEGER NOT NULL, bytes INTEGER NOT NULL, newest_column INTEGER NOT NULL);
CREATE INDEX parts_by_day ON parts(site, day);
CREATE INDEX parts_by_state ON parts(state);
-- Imports that sealed parts have events of.
CREATE TABLE part_imports(
  import INTEGER NOT NULL, part INTEGER NOT NULL, PRIMARY KEY(import, part)) WITHOUT ROWID;
-- Days with rows that no sealing has looked at since they changed.
CREATE TABLE unsealed_days(
  site INTEGER NOT NULL, day INTEGER NOT NULL, PRIMARY KEY(site, day)) WITHOUT ROWID;
INSERT INTO unsealed_days SELECT DISTINCT site,
  CASE WHEN hour >= 0 THEN hour / 24 ELSE (hour - 23) / 24 END FROM event_hours;
-- One row at most: days that were sealed while their rows are leaving, and visitors whose rows stay.
CREATE TABLE sealing(
  site INTEGER NOT NULL, first_time INTEGER NOT NULL, end_time INTEGER NOT NULL,
  last_event INTEGER NOT NULL, next_event INTEGER NOT NULL);
CREATE TABLE sealing_kept(visitor INTEGER PRIMARY KEY);
)sql",
    // 13: events leave by a selection, too, not only with their import: see EventSelection; NULL
    // stands for anything, and a site may keep them for a time only. events: of the import that is
    // taken back. Times are seconds.
    R"sql(
CREATE TABLE removals(
  id INTEGER PRIMARY KEY AUTOINCREMENT, site INTEGER NOT NULL, created_at INTEGER NOT NULL,
  from_time INTEGER, to_time INTEGER, import INTEGER, page TEXT, source TEXT, prop TEXT,
  prop_value TEXT, visitor_of TEXT, visitor INTEGER,
  name TEXT, events INTEGER NOT NULL DEFAULT 0, removed INTEGER NOT NULL DEFAULT 0,
  next_event INTEGER NOT NULL, last_event INTEGER NOT NULL, part INTEGER NOT NULL DEFAULT 0,
  last_part INTEGER NOT NULL, earliest INTEGER, latest INTEGER);
-- Visits that have lost events, and are to be made again of the others.
CREATE TABLE removal_visits(
  removal INTEGER NOT NULL, visit INTEGER NOT NULL, PRIMARY KEY(removal, visit)) WITHOUT ROWID;
INSERT INTO removals(site, import, name, created_at, events, next_event, last_event, last_part,
    earliest, latest)
  SELECT site, import, name, created_at, events, next_event, last_event,
    (SELECT coalesce(max(id), 0) FROM parts), earliest, iif(earliest IS NULL, NULL, 1000000000000)
  FROM undos ORDER BY import;
INSERT INTO removal_visits SELECT r.id, u.visit FROM undo_visits u JOIN removals r USING(import);
DROP TABLE undos;
DROP TABLE undo_visits;
-- How long a site keeps events, as "25mo", and from when on older ones are removed.
ALTER TABLE sites ADD COLUMN keep TEXT;
ALTER TABLE sites ADD COLUMN keep_at INTEGER NOT NULL DEFAULT 0;
)sql",
    // 14: a site may keep daily totals of events that it keeps no longer: see TotalsTable. day: of
    // the site's zone, counted from 1970. totals: the batch that has what is being removed.
    R"sql(
ALTER TABLE sites ADD COLUMN keep_totals INTEGER NOT NULL DEFAULT 0;
ALTER TABLE removals ADD COLUMN totals INTEGER NOT NULL DEFAULT 0;
CREATE TABLE total_batches(
  id INTEGER PRIMARY KEY AUTOINCREMENT, site INTEGER NOT NULL, state INTEGER NOT NULL,
  first_day INTEGER NOT NULL);
CREATE INDEX total_batches_by_site ON total_batches(site, state, first_day);
CREATE INDEX total_batches_by_state ON total_batches(state);
CREATE TABLE daily_totals(
  id INTEGER PRIMARY KEY, batch INTEGER NOT NULL, site INTEGER NOT NULL, dimension TEXT NOT NULL,
  day INTEGER NOT NULL, data BLOB NOT NULL);
CREATE INDEX daily_totals_by_day ON daily_totals(site, dimension, day);
CREATE INDEX daily_totals_by_site ON daily_totals(site);
CREATE INDEX daily_totals_by_batch ON daily_totals(batch);
)sql",
    // 15: how long and how far a page was read, by engagements.
    R"sql(
ALTER TABLE events ADD COLUMN engaged_millis INTEGER;
ALTER TABLE events ADD COLUMN scroll_depth INTEGER;
)sql",
    // 16: a link to the pages of all sites of an account.
    R"sql(
CREATE TABLE account_links(
  id INTEGER PRIMARY KEY AUTOINCREMENT, account INTEGER NOT NULL, name TEXT NOT NULL,
  token TEXT NOT NULL, created_at INTEGER NOT NULL, UNIQUE(account, name));
)sql",
    // 17: screens and languages of visitors, and hostnames of the first and last pages of visits:
    // copies of days are made again with them. screen: see ScreenClass. language: LanguageNumber.
    R"sql(
ALTER TABLE events ADD COLUMN screen INTEGER;
ALTER TABLE events ADD COLUMN language INTEGER;
ALTER TABLE sites ADD COLUMN languages INTEGER NOT NULL DEFAULT 0;
INSERT OR IGNORE INTO part_days SELECT DISTINCT site, day FROM parts WHERE state = 1;
UPDATE parts SET state = 2 WHERE state = 1;
)sql",
    // 18: funnels. within: see FunnelWithin. steps: JSON, as on the wire.
    R"sql(
CREATE TABLE funnels(
  id INTEGER PRIMARY KEY AUTOINCREMENT, site INTEGER NOT NULL, name TEXT NOT NULL,
  within INTEGER NOT NULL, steps TEXT NOT NULL, created_at INTEGER NOT NULL, UNIQUE(site, name));
)sql",
    // 19: the terms of shared links: see LinkTerms. password: a hash.
    R"sql(
ALTER TABLE shared_links ADD COLUMN password TEXT NOT NULL DEFAULT '';
ALTER TABLE shared_links ADD COLUMN expires_at INTEGER;
ALTER TABLE shared_links ADD COLUMN filters TEXT NOT NULL DEFAULT '';
ALTER TABLE shared_links ADD COLUMN period TEXT NOT NULL DEFAULT '';
ALTER TABLE shared_links ADD COLUMN frame_ancestors TEXT NOT NULL DEFAULT '';
ALTER TABLE account_links ADD COLUMN password TEXT NOT NULL DEFAULT '';
ALTER TABLE account_links ADD COLUMN expires_at INTEGER;
ALTER TABLE account_links ADD COLUMN filters TEXT NOT NULL DEFAULT '';
ALTER TABLE account_links ADD COLUMN period TEXT NOT NULL DEFAULT '';
ALTER TABLE account_links ADD COLUMN frame_ancestors TEXT NOT NULL DEFAULT '';
)sql",
    // 20: when a site's owner was last told of an alert. kind: see AlertKind.
    R"sql(
CREATE TABLE sent_alerts(
  site INTEGER NOT NULL, kind INTEGER NOT NULL, sent_at INTEGER NOT NULL,
  PRIMARY KEY(site, kind)) WITHOUT ROWID;
)sql",
    // 21: daily totals that were imported. import: 0, if the totals are of events that were here.
    // imports.totals: lines.
    R"sql(
ALTER TABLE total_batches ADD COLUMN import INTEGER NOT NULL DEFAULT 0;
ALTER TABLE imports ADD COLUMN totals INTEGER NOT NULL DEFAULT 0;
)sql",
    // 22: the log that an import is of, with others: its rotations. Empty: it stands for itself.
    R"sql(
ALTER TABLE imports ADD COLUMN log TEXT NOT NULL DEFAULT '';
ALTER TABLE removals ADD COLUMN log TEXT NOT NULL DEFAULT '';
)sql",
    // 23: what is shipped to a cluster: see JournalState, JournalBlock and ChangeLog. The journal
    // has one row, or none. visits.born: a day; NULL, if it is that of the visit's first event.
    R"sql(
ALTER TABLE visits ADD COLUMN born INTEGER;
CREATE TABLE journal(id BLOB NOT NULL, shipped INTEGER NOT NULL, changes INTEGER NOT NULL,
  next_block INTEGER NOT NULL);
CREATE TABLE journal_blocks(number INTEGER PRIMARY KEY, month INTEGER NOT NULL,
  first INTEGER NOT NULL, last INTEGER NOT NULL, confirmed_at INTEGER);
CREATE TABLE journal_changes(number INTEGER PRIMARY KEY AUTOINCREMENT, kind INTEGER NOT NULL,
  site INTEGER NOT NULL, event INTEGER, visit INTEGER, winner INTEGER, born INTEGER);
)sql",
    R"sql(ALTER TABLE events ADD COLUMN key_hash BLOB)sql",  // 24: see IdempotencyKey
    // 25: imports of which some events have left, and removals of such events: see Backend::shed().
    R"sql(
ALTER TABLE imports ADD COLUMN elsewhere INTEGER NOT NULL DEFAULT 0;
ALTER TABLE removals ADD COLUMN shed INTEGER NOT NULL DEFAULT 0;
)sql",
    // 26: removals for all nodes of a cluster: see ClusterRemoval. What a journal has forgotten:
    // see
    // ChangeLog.
    R"sql(
CREATE TABLE cluster_removals(id INTEGER PRIMARY KEY, site INTEGER NOT NULL, from_time INTEGER,
  to_time INTEGER, import INTEGER NOT NULL, page TEXT, source TEXT, prop TEXT, prop_value TEXT,
  visitor_of TEXT, visitor INTEGER, at INTEGER NOT NULL, forgotten INTEGER NOT NULL);
CREATE TABLE journal_forgotten(site INTEGER PRIMARY KEY, event INTEGER NOT NULL,
  visit INTEGER NOT NULL, last_time INTEGER NOT NULL);
CREATE TABLE cluster_removal_nodes(removal INTEGER NOT NULL, node INTEGER NOT NULL,
  PRIMARY KEY(removal, node)) WITHOUT ROWID;
CREATE TABLE cluster_removal_steps(id BLOB PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE cluster_removal_visits(removal INTEGER NOT NULL, node INTEGER NOT NULL,
  visit INTEGER NOT NULL, PRIMARY KEY(removal, node, visit)) WITHOUT ROWID;
)sql",
};

}  // namespace

std::span<const char* const> migrations() { return kMigrations; }

}  // namespace analytics::sqlite
