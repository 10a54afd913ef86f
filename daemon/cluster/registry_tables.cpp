// The part of RegistryLog that creates its tables and raises their format.
#include "daemon/cluster/registry_log.h"

namespace analytics::cluster {
namespace {

constexpr char kMakeTables[] = R"sql(
BEGIN;
SELECT pg_advisory_xact_lock(4706003125034254169);
-- All tables are changed by RegistryLog, from every node; only salts say anything about
-- visitors; the table is unlogged, so that no archive of PostgreSQL's log keeps them.
CREATE TABLE IF NOT EXISTS registry(  -- One row: the newest revision, and the format of the log.
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row), format integer NOT NULL,
  revision bigint NOT NULL, id bytea NOT NULL);
CREATE TABLE IF NOT EXISTS registry_changes(
  -- The log of changes; a revision's rows are a changeset of SQLite. All nodes apply it in order.
  -- Grows by a row per change.
  revision bigint PRIMARY KEY, id bytea NOT NULL, node text NOT NULL,
  made_at timestamptz NOT NULL DEFAULT now(), rows bytea NOT NULL, spent text NOT NULL,
  removal text NOT NULL DEFAULT '');
CREATE TABLE IF NOT EXISTS nodes(
  -- The nodes of the cluster: how far each has followed, and until when it may answer keys.
  name text PRIMARY KEY, journal bytea NOT NULL, version text NOT NULL, revision bigint NOT NULL,
  spent text NOT NULL, reported_at timestamptz NOT NULL, leased_until timestamptz NOT NULL,
  format integer NOT NULL);
CREATE TABLE IF NOT EXISTS imports(  -- Which node owns an import. A row leaves with the import.
  site bigint NOT NULL, name text NOT NULL, log text NOT NULL, node text NOT NULL,
  PRIMARY KEY(site, name));
CREATE INDEX IF NOT EXISTS imports_by_log ON imports(site, log);
CREATE UNLOGGED TABLE IF NOT EXISTS salts(
  -- The salts of days, encrypted with a key that only nodes have. A row leaves when it expires.
  day integer PRIMARY KEY, wrapped bytea NOT NULL, expires_at bigint NOT NULL);
)sql";

}  // namespace

Status RegistryLog::open() {
  const auto there = TRY(server_.ask("SELECT to_regclass('registry') IS NOT NULL"));
  if (there.empty() || there.front().front() != "t") {
    const auto made = server_.ask(
        kMakeTables + ("INSERT INTO registry(format, revision, id) VALUES(" +
                       std::to_string(format_) + ", 0, '') ON CONFLICT DO NOTHING; COMMIT"));
    if (!made) {
      unlock();
      return fail(made.error());
    }
  }
  TRY(read_head());
  TRY(server_.ask("LISTEN analytics_registry"));
  return {};
}

Status RegistryLog::upgrade() {
  return upgrade_if([&]() -> Result<bool> {
    const auto older = TRY(server_.ask("SELECT name, version FROM nodes WHERE format < " +
                                       std::to_string(format_) + " ORDER BY name LIMIT 1"));
    if (!older.empty()) {
      const auto& name = older.front()[0];
      return fail(ErrorCode::kInvalidParameter,
                  "The node " + name + " runs version " + older.front()[1] +
                      ", which could not follow: upgrade it and start it, or remove it with"
                      " 'analyticsd cluster remove " +
                      name + "'.");
    }
    return true;
  });
}

Status RegistryLog::upgrade_alone(const std::string& node) {
  if (is_upgraded()) return {};
  const auto is_alone = [&]() -> Result<bool> {
    const auto others = TRY(server_.ask("SELECT 1 FROM nodes WHERE name <> $1 LIMIT 1", {node}));
    return others.empty();
  };
  const auto before = TRY(is_alone());  // the first check is usually false, and needs no lock
  if (!before) return {};
  return upgrade_if([&]() -> Result<bool> {
    const auto alone = TRY(is_alone());
    if (!alone) return false;
    // This node has not reported its new format yet, so the new constraint would reject the node's
    // row.
    TRY(server_.ask("UPDATE nodes SET format = " + std::to_string(format_) + " WHERE name = $1",
                    {node}));
    return true;
  });
}

/// Raises the registry to this node's format if `may` returns true. Calls `may` while no node can
/// join.
Status RegistryLog::upgrade_if(const std::function<Result<bool>()>& may) {
  TRY(lock());
  const auto upgraded = may();
  if (!upgraded || !*upgraded) {
    unlock();
    return upgraded ? Status() : fail(upgraded.error());
  }
  // The constraint also keeps out nodes of an earlier version that joins without checking the
  // format.
  const auto format = std::to_string(format_);
  const auto done = server_.ask(
      "SET LOCAL client_min_messages = warning;"
      " ALTER TABLE nodes DROP CONSTRAINT IF EXISTS nodes_follow;"
      " ALTER TABLE nodes ADD CONSTRAINT nodes_follow CHECK (format >= " +
      format + "); UPDATE registry SET format = " + format + "; COMMIT");
  if (!done) {
    unlock();
    return fail(done.error());
  }
  stored_format_ = format_;
  return {};
}

}  // namespace analytics::cluster
