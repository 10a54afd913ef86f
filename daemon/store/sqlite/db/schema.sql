-- The schema of a store. `sqlite3 FILE .schema` shows it with the comments of each table.
--
-- Unless a comment says otherwise, times are Unix seconds, and days are UTC days since 1970. Ids that
-- AUTOINCREMENT gives are never used again. A column named after a table holds an id of that table.
--
-- The comment of a table says what a row is, which class owns the table, when rows are added and
-- removed, and, after "Visitors:", what a row tells about visitors. Only its owner changes a table.
--
-- A file has the number of its schema in `user_version`. Once a version is released, this text no
-- longer changes: a change is a further step in schema.cpp.

CREATE TABLE meta(
  -- Single values: the key of the text hashes, the time of the last backup, the revision of the
  -- shared registry. Changed by the classes that use them. A few rows.
  name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;

-- The registry: what is provisioned. Its owners are in store/sqlite/registry. Only requests with an
-- API key, and operators, add rows, within limits per account and site.

CREATE TABLE accounts(
  -- The owners of sites and keys. Owner: Keys, which makes an account with its first key.
  id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, created_at INTEGER NOT NULL);

CREATE TABLE api_keys(
  -- Owner: Keys. The key itself is not stored.
  id INTEGER PRIMARY KEY AUTOINCREMENT, account INTEGER NOT NULL,
  hash BLOB NOT NULL UNIQUE,  -- SHA-256 of the key.
  prefix TEXT NOT NULL,       -- The key's first characters, by which people tell keys apart.
  label TEXT NOT NULL,
  scopes INTEGER NOT NULL,    -- Bits: enum Scope.
  sites TEXT NOT NULL,        -- Domains, a line each; empty: all sites of the account.
  created_at INTEGER NOT NULL, expires_at INTEGER, last_used_at INTEGER,
  rate_limit INTEGER);        -- Requests per hour; NULL: the daemon's setting.

CREATE TABLE sites(
  -- Owner: Sites, except for first_event_at, which FirstEvents owns.
  id INTEGER PRIMARY KEY AUTOINCREMENT, account INTEGER NOT NULL, domain TEXT NOT NULL UNIQUE,
  timezone TEXT NOT NULL, created_at INTEGER NOT NULL, first_event_at INTEGER,
  keep TEXT,                              -- How long events are kept, such as "25mo"; NULL: for ever.
  keep_at INTEGER NOT NULL DEFAULT 0,     -- When `keep` takes effect.
  keep_totals INTEGER NOT NULL DEFAULT 0, -- 1: expired days leave daily totals behind.
  languages INTEGER NOT NULL DEFAULT 0);  -- 1: visitors' languages are stored.
CREATE INDEX sites_by_account ON sites(account, id);

CREATE TABLE site_aliases(
  -- Former domains of sites, which still receive events. Owner: Sites. A row is removed
  -- when it expires.
  domain TEXT PRIMARY KEY, site INTEGER NOT NULL, expires_at INTEGER NOT NULL) WITHOUT ROWID;
CREATE INDEX site_aliases_by_site ON site_aliases(site);

CREATE TABLE exclusions(
  -- Visitors, pages and hostnames that a site does not count. Owner: Sites. Visitors: the
  -- addresses that the site's owner excludes, in clear.
  id INTEGER PRIMARY KEY AUTOINCREMENT, site INTEGER NOT NULL,
  kind INTEGER NOT NULL,  -- enum ExclusionKind.
  value TEXT NOT NULL, UNIQUE(site, kind, value));

CREATE TABLE goals(
  -- Owner: Sites.
  id INTEGER PRIMARY KEY AUTOINCREMENT, site INTEGER NOT NULL,
  type INTEGER NOT NULL,  -- enum GoalType.
  value TEXT NOT NULL, created_at INTEGER NOT NULL, display_name TEXT NOT NULL DEFAULT '',
  UNIQUE(site, type, value));

CREATE TABLE funnels(
  -- Owner: Funnels.
  id INTEGER PRIMARY KEY AUTOINCREMENT, site INTEGER NOT NULL, name TEXT NOT NULL,
  within INTEGER NOT NULL,  -- enum FunnelWithin.
  steps TEXT NOT NULL,      -- JSON, as on the wire.
  created_at INTEGER NOT NULL, UNIQUE(site, name));

CREATE TABLE shared_links(
  -- Public links to a site's page of statistics; see LinkTerms. Owner: Sites.
  id INTEGER PRIMARY KEY AUTOINCREMENT, site INTEGER NOT NULL, name TEXT NOT NULL,
  token TEXT NOT NULL, created_at INTEGER NOT NULL,
  password TEXT NOT NULL DEFAULT '',  -- Its Argon2 hash; empty: none.
  expires_at INTEGER, filters TEXT NOT NULL DEFAULT '', period TEXT NOT NULL DEFAULT '',
  frame_ancestors TEXT NOT NULL DEFAULT '', UNIQUE(site, name));

CREATE TABLE account_links(
  -- Public links to the page of all sites of an account. Owner: AccountLinks.
  id INTEGER PRIMARY KEY AUTOINCREMENT, account INTEGER NOT NULL, name TEXT NOT NULL,
  token TEXT NOT NULL, created_at INTEGER NOT NULL,
  password TEXT NOT NULL DEFAULT '',
  expires_at INTEGER, filters TEXT NOT NULL DEFAULT '', period TEXT NOT NULL DEFAULT '',
  frame_ancestors TEXT NOT NULL DEFAULT '', UNIQUE(account, name));

CREATE TABLE sent_alerts(
  -- When a site's owner was last told of an alert. Owner: AlertLog. A row per site and kind.
  site INTEGER NOT NULL,
  kind INTEGER NOT NULL,  -- enum AlertKind.
  sent_at INTEGER NOT NULL, PRIMARY KEY(site, kind)) WITHOUT ROWID;

-- Intake.

CREATE TABLE salts(
  -- Visitor ids of a day are hashed with its salt. Owner: SqliteSalts. A row per day with events,
  -- removed after 48 hours. Visitors: while the salt exists, anyone who knows an address and a
  -- User-Agent can compute the visitor id.
  day INTEGER PRIMARY KEY, salt BLOB NOT NULL, expires_at INTEGER NOT NULL);

CREATE TABLE salt_days(
  -- How many salts a day has had. Events may come after a salt was destroyed: they get a new one,
  -- under which earlier visitors are new. Owner: LateEvents. A row per day with events.
  day INTEGER PRIMARY KEY, salts INTEGER NOT NULL);
CREATE TABLE late_days(
  -- Days of a site for which events came after the day had got a second salt. Owner: LateEvents.
  site INTEGER NOT NULL, day INTEGER NOT NULL,
  salt INTEGER NOT NULL,  -- Number of the salt of the site's first event of that day; from 1.
  PRIMARY KEY(site, day)) WITHOUT ROWID;
CREATE TABLE late_events(
  -- How many events came after the day's first salt was destroyed. Owner: LateEvents. A row per
  -- site, day and import; removed with the import.
  site INTEGER NOT NULL, day INTEGER NOT NULL,
  import INTEGER NOT NULL,  -- 0: none.
  events INTEGER NOT NULL, PRIMARY KEY(site, day, import)) WITHOUT ROWID;

CREATE TABLE events(
  -- An event that is stored as a row, in order of arrival; its texts are ids in strings. Older
  -- days are columns: see parts. Owner: EventTable. About 60 bytes each, removed when the day is
  -- sealed or the event is deleted or expires. Visitors: what they did, under an id that cannot
  -- be traced back once the salt is destroyed.
  id INTEGER PRIMARY KEY, site INTEGER NOT NULL,
  time INTEGER NOT NULL, millis INTEGER,  -- NULL: 0.
  visitor INTEGER NOT NULL,               -- A keyed hash: see VisitorIds.
  visit INTEGER,                          -- As of arrival: visit_merges may name a later one.
  name INTEGER NOT NULL, hostname INTEGER NOT NULL, path INTEGER NOT NULL,
  referrer INTEGER, source INTEGER,
  channel INTEGER NOT NULL,               -- enum Channel.
  utm_source INTEGER, utm_medium INTEGER, utm_campaign INTEGER, utm_content INTEGER,
  utm_term INTEGER,
  client INTEGER,                         -- Device, browser and system: an id in clients.
  place INTEGER,                          -- Country, region and city: an id in places.
  screen INTEGER,                         -- enum ScreenClass.
  language INTEGER,                       -- A LanguageNumber.
  props INTEGER,                          -- A JSON object.
  passive INTEGER,                        -- 1: sent as not interactive: the visit may still be a bounce.
  revenue_micros INTEGER, revenue_currency INTEGER,
  engaged_millis INTEGER, scroll_depth INTEGER,  -- Of engagements; the depth in percent.
  import INTEGER,                         -- NULL: it was sent live.
  key_hash BLOB);                         -- Of its idempotency key.

CREATE TABLE strings(
  -- The texts of events: a dictionary for each site and kind. Owner: StringTable. A new text adds
  -- a row; how many a sender may add on a day is limited, and TextSweep removes those that no
  -- event uses any more. Visitors: addresses, User-Agents and e-mail addresses are redacted
  -- before a text is stored.
  site INTEGER NOT NULL,
  kind INTEGER NOT NULL,  -- enum StringKind.
  id INTEGER NOT NULL,
  hash INTEGER NOT NULL,  -- A keyed hash of the value: a shorter index than the text itself.
  value TEXT NOT NULL, PRIMARY KEY(site, kind, id)) WITHOUT ROWID;
CREATE UNIQUE INDEX strings_by_hash ON strings(site, kind, hash);

CREATE TABLE clients(
  -- Browsers and systems. Each is found by its hash, in a row of strings with the same id and an
  -- empty value. Owner: StringTable. Added and removed as in strings.
  site INTEGER NOT NULL, id INTEGER NOT NULL, device TEXT, browser TEXT, browser_version TEXT,
  os TEXT, os_version TEXT, PRIMARY KEY(site, id)) WITHOUT ROWID;
CREATE TABLE places(
  -- Countries, regions and cities. Each is found by its hash, in a row of strings with the same
  -- id and an empty value. Owner: StringTable. Added and removed as in strings.
  site INTEGER NOT NULL, id INTEGER NOT NULL, country TEXT, region TEXT, city TEXT,
  PRIMARY KEY(site, id)) WITHOUT ROWID;
CREATE TABLE text_sweeps(
  -- Sites whose unused texts are about to be removed. Owner: TextSweep. Removed after that.
  site INTEGER PRIMARY KEY);

CREATE TABLE event_hours(
  -- The lowest and highest event id of each site and UTC hour. Owner: EventHours. Removed with
  -- the last row of its hour in events.
  site INTEGER NOT NULL, hour INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL,
  PRIMARY KEY(site, hour)) WITHOUT ROWID;

CREATE TABLE visits(
  -- A visit whose events are still rows; its times are milliseconds: see Visit. Owner:
  -- VisitTable. Removed when its days are sealed or its last event is removed.
  id INTEGER PRIMARY KEY, site INTEGER NOT NULL, started INTEGER NOT NULL, length INTEGER NOT NULL,
  first INTEGER NOT NULL,  -- The event whose source, device and country the visit has.
  entry INTEGER, entry_delay INTEGER NOT NULL,  -- The first pageview, and its time after `started`.
  exit INTEGER, exit_lead INTEGER NOT NULL,     -- The last pageview, and its time before the end.
  pageviews INTEGER NOT NULL,
  events INTEGER NOT NULL,  -- Events of any name except engagement.
  interactive INTEGER,      -- 1: it has a custom event with which it is no bounce.
  named INTEGER,            -- 1: an import has named it, and it is found by that name alone.
  born INTEGER,             -- The day of the event that made it; NULL: the day of `first`.
  active_before INTEGER,    -- How long before `started` an engagement began; NULL: 0.
  active_after INTEGER);    -- How long after its last event the last engagement was; NULL: 0.
CREATE TABLE visit_merges(
  -- Visits that became part of others. Owner: VisitTable. Removed with the winner.
  loser INTEGER PRIMARY KEY, winner INTEGER NOT NULL, site INTEGER NOT NULL);
CREATE INDEX visit_merges_by_winner ON visit_merges(winner);
CREATE TABLE visit_index(
  -- Visits by their visitor. Owner: VisitTable. Removed with the salt of the day.
  day INTEGER NOT NULL, visitor INTEGER NOT NULL, visit INTEGER NOT NULL,
  PRIMARY KEY(day, visitor, visit)) WITHOUT ROWID;
CREATE TABLE visit_marks(
  -- Up to which visit and event the tables of visits are complete: see VisitMarks. One row.
  -- Owner: VisitTable.
  next INTEGER NOT NULL, written INTEGER NOT NULL, indexed INTEGER NOT NULL,
  next_event INTEGER NOT NULL);
INSERT INTO visit_marks(next, written, indexed, next_event) VALUES(1, 0, 0, 1);

CREATE TABLE ingest_counters(
  -- What became of received events. Owner: Counters. At most a row per site, hour and
  -- outcome; removed with the site.
  site INTEGER NOT NULL, hour INTEGER NOT NULL,
  outcome INTEGER NOT NULL,  -- enum EventOutcome.
  count INTEGER NOT NULL, PRIMARY KEY(site, hour, outcome)) WITHOUT ROWID;
CREATE TABLE unknown_sites(
  -- Domains of events for which there is no site. Owner: Counters. The 1,000 most
  -- frequent.
  domain TEXT PRIMARY KEY, count INTEGER NOT NULL, last_seen INTEGER NOT NULL) WITHOUT ROWID;

CREATE TABLE idempotency(
  -- Keys of single events that were stored. Owner: IdempotencyKeys. Removed after a week.
  hash BLOB PRIMARY KEY, expires_at INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE batch_answers(
  -- The first answers to bulk requests with a key. Owner: ImportLedger. Removed when they expire.
  hash BLOB PRIMARY KEY,
  content BLOB NOT NULL,  -- A hash of the request's body.
  answer TEXT NOT NULL, expires_at INTEGER NOT NULL) WITHOUT ROWID;
CREATE INDEX batch_answers_by_expiry ON batch_answers(expires_at);

-- Imports.

CREATE TABLE imports(
  -- Owner: ImportLedger. Removed when the import is undone.
  id INTEGER PRIMARY KEY AUTOINCREMENT, site INTEGER NOT NULL, name TEXT NOT NULL,
  created_at INTEGER NOT NULL, events INTEGER NOT NULL DEFAULT 0,
  first_event INTEGER NOT NULL DEFAULT 0,  -- All its events have this id or a higher one.
  totals INTEGER NOT NULL DEFAULT 0,       -- Lines of daily totals.
  log TEXT NOT NULL DEFAULT '',            -- The log of which a rotation was imported; empty: none.
  elsewhere INTEGER NOT NULL DEFAULT 0,    -- Events that only the cluster still has: see Backend::shed().
  UNIQUE(site, name));
CREATE TABLE import_ranges(
  -- Ranges of bytes of source files that were imported. Owner: ImportLedger. A row per bulk
  -- request; removed with the import.
  import INTEGER NOT NULL,
  source BLOB NOT NULL,   -- A hash of the source's id.
  first INTEGER NOT NULL, last INTEGER NOT NULL,
  content BLOB NOT NULL,  -- A hash of the request's body, by which a repeat is recognised.
  outcomes BLOB NOT NULL DEFAULT x'',  -- LineOutcomes.
  PRIMARY KEY(import, source, first)) WITHOUT ROWID;
CREATE TABLE record_ids(
  -- Ids of imported records, so that none is imported twice. Owner: ImportLedger. Removed with
  -- the import.
  site INTEGER NOT NULL, hash BLOB NOT NULL, import INTEGER NOT NULL,
  PRIMARY KEY(site, hash)) WITHOUT ROWID;

-- Columns: see PartTable.

CREATE TABLE parts(
  -- Events as columns: copies of rows, or sealed days. Owner: PartTable. About 11 bytes an event,
  -- columns included. Removed when its events are removed or expire.
  id INTEGER PRIMARY KEY AUTOINCREMENT, site INTEGER NOT NULL, day INTEGER NOT NULL,
  state INTEGER NOT NULL,  -- 0: being made, 1: a copy of rows, 2: being removed, 3: sealed.
  first_time INTEGER NOT NULL, end_time INTEGER NOT NULL,  -- Of all events; end_time is exclusive.
  events INTEGER NOT NULL,  -- Including engagements.
  bytes INTEGER NOT NULL);  -- Of all its columns.
CREATE INDEX parts_by_day ON parts(site, day);
CREATE INDEX parts_by_state ON parts(state);
CREATE VIEW sealed_days AS
  -- For people: the days that are stored only as columns.
  SELECT s.domain AS site, date(p.first_time, 'unixepoch') AS first_day,
    date(p.end_time - 1, 'unixepoch') AS last_day, p.events, p.bytes
  FROM parts p JOIN sites s ON s.id = p.site WHERE p.state = 3;
CREATE TABLE part_columns(
  -- Owner: PartTable. Visitors: sealed columns have no visitor ids; they show which visits had
  -- the same visitor.
  id INTEGER PRIMARY KEY,  -- 128 * part + column.
  data BLOB NOT NULL);
CREATE TABLE part_imports(
  -- Which imports have events in which sealed parts. Owner: PartTable.
  import INTEGER NOT NULL, part INTEGER NOT NULL, PRIMARY KEY(import, part)) WITHOUT ROWID;
CREATE TABLE part_days(
  -- Days that have changed since they were copied. Owner: PartTable. Removed when the day is
  -- copied.
  site INTEGER NOT NULL, day INTEGER NOT NULL, PRIMARY KEY(site, day)) WITHOUT ROWID;
CREATE TABLE unsealed_days(
  -- Days with rows that have changed since sealing looked at them. Owner: PartTable.
  site INTEGER NOT NULL, day INTEGER NOT NULL, PRIMARY KEY(site, day)) WITHOUT ROWID;
CREATE TABLE sealing(
  -- At most one row: days that are sealed and whose rows are being removed, from the event
  -- next_event on, up to last_event. Owner: RowSweep.
  site INTEGER NOT NULL, first_time INTEGER NOT NULL, end_time INTEGER NOT NULL,
  last_event INTEGER NOT NULL, next_event INTEGER NOT NULL);
CREATE TABLE sealing_kept(
  -- Visitors whose rows of these days stay, because their visits have events before or after
  -- these days. Owner: RowSweep. Empty between sweeps.
  visitor INTEGER PRIMARY KEY);

-- Daily totals. Their days are days of the site's time zone.

CREATE TABLE total_batches(
  -- The totals of some days, made together. Owner: TotalsTable.
  id INTEGER PRIMARY KEY AUTOINCREMENT, site INTEGER NOT NULL,
  state INTEGER NOT NULL,  -- 0: being made, 1: in use, 2: being removed.
  first_day INTEGER NOT NULL,
  import INTEGER NOT NULL DEFAULT 0);  -- 0: totals of events that were stored here.
CREATE INDEX total_batches_by_site ON total_batches(site, state, first_day);
CREATE INDEX total_batches_by_state ON total_batches(state);
CREATE TABLE daily_totals(
  -- The sums of a day by the values of a dimension: see DayTotals. Owner: TotalsTable. A row per
  -- day and dimension; kept when events expire. Visitors: only how many.
  id INTEGER PRIMARY KEY, batch INTEGER NOT NULL, site INTEGER NOT NULL, dimension TEXT NOT NULL,
  day INTEGER NOT NULL, data BLOB NOT NULL);
CREATE INDEX daily_totals_by_day ON daily_totals(site, dimension, day);
CREATE INDEX daily_totals_by_site ON daily_totals(site);
CREATE INDEX daily_totals_by_batch ON daily_totals(batch);

-- Removals.

CREATE TABLE purges(
  -- Deleted sites whose rows are being removed; events and visits below these ids are gone.
  -- Owner: SitePurge. Removed with the last of them.
  site INTEGER PRIMARY KEY, next_event INTEGER NOT NULL, next_visit INTEGER NOT NULL DEFAULT 0);
CREATE TABLE removals(
  -- An undone import, or a selection of events, that is being removed. Owner: RemovalTable.
  -- Removed when that is done.
  id INTEGER PRIMARY KEY AUTOINCREMENT, site INTEGER NOT NULL, created_at INTEGER NOT NULL,
  -- The selection: see EventSelection; NULL matches anything.
  from_time INTEGER, to_time INTEGER, import INTEGER, page TEXT, source TEXT, prop TEXT,
  prop_value TEXT, visitor_of TEXT, visitor INTEGER,
  -- The undone import; NULL: none.
  name TEXT, log TEXT NOT NULL DEFAULT '', events INTEGER NOT NULL DEFAULT 0,
  shed INTEGER NOT NULL DEFAULT 0,    -- 1: the cluster keeps the events: see Backend::shed().
  totals INTEGER NOT NULL DEFAULT 0,  -- The batch that has daily totals of the events; 0: none.
  -- Progress: see RemovalTable::Removal.
  removed INTEGER NOT NULL DEFAULT 0, next_event INTEGER NOT NULL, last_event INTEGER NOT NULL,
  part INTEGER NOT NULL DEFAULT 0, last_part INTEGER NOT NULL, earliest INTEGER, latest INTEGER);
CREATE TABLE removal_visits(
  -- Visits that have lost events and must be rebuilt. Owner: RemovalTable. Removed with the
  -- rebuilding.
  removal INTEGER NOT NULL, visit INTEGER NOT NULL, PRIMARY KEY(removal, visit)) WITHOUT ROWID;

-- A node's journal, with the changes that a cluster has not yet confirmed. Empty without a cluster.

CREATE TABLE journal(
  -- How far the journal has been written and shipped: see JournalState. At most one row. Owner:
  -- Journal.
  id BLOB NOT NULL, shipped INTEGER NOT NULL, changes INTEGER NOT NULL,
  next_block INTEGER NOT NULL);
CREATE TABLE journal_blocks(
  -- Blocks of events, each of which is shipped as a whole: see JournalBlock. Owner:
  -- Journal. Removed some minutes after the block is confirmed.
  number INTEGER PRIMARY KEY, month INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL,
  confirmed_at INTEGER);
CREATE TABLE journal_changes(
  -- Changes of stored events and visits. Owner: ChangeLog. Removed when shipped.
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  kind INTEGER NOT NULL,  -- enum JournalChange.
  site INTEGER NOT NULL, event INTEGER, visit INTEGER, winner INTEGER, born INTEGER);
CREATE TABLE journal_forgotten(
  -- The highest ids of events and visits that this node has removed because the cluster has them.
  -- Owner: ChangeLog. A row per site.
  site INTEGER PRIMARY KEY, event INTEGER NOT NULL, visit INTEGER NOT NULL,
  last_time INTEGER NOT NULL);
CREATE TABLE cluster_removals(
  -- Removals that all nodes carry out; for `at` and `forgotten` see ClusterRemoval. Owner:
  -- ClusterRemovals. Removed when all nodes are done.
  id INTEGER PRIMARY KEY, site INTEGER NOT NULL, from_time INTEGER, to_time INTEGER,
  import INTEGER NOT NULL, page TEXT, source TEXT, prop TEXT, prop_value TEXT, visitor_of TEXT,
  visitor INTEGER, at INTEGER NOT NULL, forgotten INTEGER NOT NULL);
CREATE TABLE cluster_removal_nodes(
  -- Nodes that have carried out a removal. Owner: ClusterRemovals.
  removal INTEGER NOT NULL, node INTEGER NOT NULL, PRIMARY KEY(removal, node)) WITHOUT ROWID;
CREATE TABLE cluster_removal_steps(
  -- Removals that this node has begun. Owner: ClusterRemovals.
  id BLOB PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE cluster_removal_visits(
  -- Visits that lost events in a removal and must be rebuilt. Owner: ClusterRemovals.
  removal INTEGER NOT NULL, node INTEGER NOT NULL, visit INTEGER NOT NULL,
  PRIMARY KEY(removal, node, visit)) WITHOUT ROWID;
