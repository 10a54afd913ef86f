#include "daemon/cluster/registry_log.h"

#include <algorithm>
#include <cstdint>

#include <nlohmann/json.hpp>

#include "common/run/version.h"
#include "common/text/text.h"
#include "daemon/cluster/removal_text.h"
#include "daemon/store/salts.h"

namespace analytics::cluster {
namespace {

using store::RegistryStep;
using store::Revision;

constexpr int kStepsAtOnce = 200;

/// SQL that notifies all nodes, so that they read the registry at once.
constexpr char kNotify[] = "SELECT pg_notify('analytics_registry', '')";

std::string text_of(std::uint64_t number) { return std::to_string(number); }
std::string text_of(const Digest& id) {
  return to_bytea({reinterpret_cast<const char*>(id.data()), id.size()});
}
std::string text_of(const Spent& spent) { return nlohmann::json(spent).dump(); }

std::int64_t number_of(const std::string& text) { return parse_int(text).value_or(0); }
std::uint64_t count_of(const std::string& text) {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(number_of(text), 0));
}
std::int64_t days_since_1970(Days day) { return day.time_since_epoch().count(); }

Spent spent_of(const std::string& text) {
  const auto json = nlohmann::json::parse(text, nullptr, false);
  Spent spent;
  if (!json.is_object()) return spent;
  for (const auto& [table, number] : json.items()) {
    if (number.is_number_integer()) spent[table] = number.get<std::int64_t>();
  }
  return spent;
}

Digest digest_from(const std::string& bytea) {
  Digest digest{};
  const auto bytes = from_bytea(bytea);
  std::copy_n(bytes.begin(), std::min(bytes.size(), digest.size()), digest.begin());
  return digest;
}

Revision revision_of(const std::string& number, const std::string& id) {
  return {.number = count_of(number), .id = digest_from(id)};
}

/// Returns the values $1 to $4 of a statement that writes a node's row.
std::vector<std::string> values_of(const NodeReport& node) {
  return {node.name, text_of(node.journal), kVersion, text_of(node.spent)};
}

}  // namespace

Status RegistryLog::join(const NodeReport& node) {
  // Joins under the lock, so that a concurrent upgrade either sees this node or makes the join
  // fail.
  TRY(lock());
  // The lease in the new row has already expired, because the node has read nothing yet.
  auto joined = server_.ask(
      "INSERT INTO nodes(name, journal, version, revision, spent, reported_at, leased_until,"
      " format)"
      " VALUES($1, $2::bytea, $3, 0, $4, clock_timestamp(), clock_timestamp(), " +
          std::to_string(format_) + ") ON CONFLICT DO NOTHING",
      values_of(node));
  // Notifies the other nodes, so that their answers to queries name this node before it accepts its
  // first event.
  if (joined) joined = server_.ask(kNotify);
  if (joined) joined = server_.ask("COMMIT");
  if (!joined) {
    unlock();
    return fail(joined.error());
  }
  const auto known = TRY(server_.ask("SELECT journal = $2::bytea FROM nodes WHERE name = $1",
                                     {node.name, text_of(node.journal)}));
  if (!known.empty() && known.front().front() == "t") return {};
  if (known.empty()) return fail(ErrorCode::kOverloaded, "The node was removed just now.");
  return fail(ErrorCode::kInvalidParameter,
              "Another database is the node " + node.name +
                  " of this cluster: set cluster.node to another name, or run 'analyticsd cluster"
                  " remove " +
                  node.name + "' if that one is lost.");
}

Result<std::optional<RegistryLog::Head>> RegistryLog::report(const NodeReport& node) {
  auto values = values_of(node);
  values.push_back(text_of(node.revision.number));
  values.push_back(text_of(node.revision.id));
  values.push_back(std::to_string(lease_.count()));
  const auto rows = TRY(server_.ask(
      "WITH known AS (SELECT revision FROM registry_changes"
      " WHERE revision = $5 AND id = $6::bytea),"
      " newest AS (SELECT FROM registry WHERE revision = $5 AND id = $6::bytea),"
      " before AS (SELECT leased_until > clock_timestamp() AS had_lease FROM nodes WHERE name = "
      "$1),"
      " reported AS (UPDATE nodes SET version = $3, spent = $4, reported_at = clock_timestamp(),"
      " format = " +
          std::to_string(format_) +
          ","
          " revision = coalesce((SELECT revision FROM known), 0),"
          " leased_until = CASE WHEN EXISTS (SELECT FROM newest) THEN"
          " clock_timestamp() + make_interval(secs => $7) ELSE leased_until END"
          " WHERE name = $1 AND journal = $2::bytea RETURNING 1)"
          " SELECT revision, id, (SELECT count(*) FROM reported), (SELECT had_lease FROM before)"
          " FROM registry",
      values));
  if (rows.empty()) return fail(ErrorCode::kInvalidParameter, "The table registry is empty.");
  const auto& row = rows.front();
  if (row[2] == "0") return std::nullopt;
  return Head{revision_of(row[0], row[1]), row[3] == "t"};
}

Result<std::vector<NodeState>> RegistryLog::nodes() {
  const auto rows = TRY(server_.ask(
      "SELECT name, version, format, revision,"
      " greatest(0, floor(extract(epoch FROM clock_timestamp() - reported_at)))::bigint,"
      " leased_until > clock_timestamp(), spent, journal FROM nodes ORDER BY name"));
  std::vector<NodeState> all;
  all.reserve(rows.size());
  for (const auto& row : rows) {
    all.push_back({.name = row[0],
                   .journal = digest_from(row[7]),
                   .version = row[1],
                   .format = number_of(row[2]),
                   .revision = count_of(row[3]),
                   .silent = std::chrono::seconds(number_of(row[4])),
                   .has_lease = row[5] == "t",
                   .spent = spent_of(row[6])});
  }
  return all;
}

Status RegistryLog::remove(const std::string& node) {
  const auto removed = TRY(server_.ask(
      "DELETE FROM nodes WHERE name = $1 AND leased_until <= clock_timestamp() RETURNING 1",
      {node}));
  if (!removed.empty()) {
    TRY(server_.ask("DELETE FROM imports WHERE node = $1", {node}));
    return {};
  }
  const auto known = TRY(server_.ask("SELECT 1 FROM nodes WHERE name = $1", {node}));
  if (known.empty()) return fail(ErrorCode::kNotFound, "The cluster has no node " + node + ".");
  return fail(ErrorCode::kInvalidParameter, "The node " + node + " has reported in the last " +
                                                std::to_string(lease_.count()) +
                                                " seconds: stop it first, and wait as long.");
}

Status RegistryLog::remove(const store::JournalId& journal) {
  const auto known =
      TRY(server_.ask("SELECT name FROM nodes WHERE journal = $1::bytea", {text_of(journal)}));
  if (!known.empty()) return remove(known.front().front());
  return fail(ErrorCode::kNotFound, "The cluster has no node with this journal.");
}

Result<std::uint64_t> RegistryLog::confirmed() {
  const auto rows = TRY(server_.ask(
      "SELECT coalesce(min(revision), 0) FROM nodes WHERE leased_until > clock_timestamp()"));
  return count_of(rows.front().front());
}

Result<std::vector<RegistryStep>> RegistryLog::steps_after(const Revision& last) {
  const auto rows = TRY(server_.ask(
      "SELECT revision, id, rows, spent, removal FROM registry_changes WHERE revision >= $1"
      " ORDER BY revision LIMIT " +
          std::to_string(kStepsAtOnce),
      {text_of(last.number)}));
  std::vector<RegistryStep> steps;
  for (const auto& row : rows) {
    auto removal = TRY(parse_removal(row[4]));
    steps.push_back({.revision = revision_of(row[0], row[1]),
                     .change = {.rows = from_bytea(row[2]),
                                .spent = spent_of(row[3]),
                                .removal = std::move(removal)}});
  }
  if (last.number == 0) return steps;
  if (steps.empty() || steps.front().revision != last) {
    return fail(ErrorCode::kRegistryRewound,
                "The registry does not have the revision that this node has.");
  }
  steps.erase(steps.begin());
  return steps;
}

Result<std::vector<RegistryStep>> RegistryLog::all_steps() {
  std::vector<RegistryStep> all;
  for (;;) {
    auto steps = TRY(steps_after(all.empty() ? Revision{} : all.back().revision));
    if (steps.empty()) return all;
    std::move(steps.begin(), steps.end(), std::back_inserter(all));
  }
}

Result<Revision> RegistryLog::lock() {
  TRY(server_.ask("BEGIN"));
  auto head = read_head(" FOR UPDATE");
  if (!head) unlock();
  return head;
}

/// Returns the newest revision, and sets stored_format_. `lock`: clause that ends the statement,
/// such as " FOR UPDATE".
Result<Revision> RegistryLog::read_head(const std::string& lock) {
  const auto rows = TRY(server_.ask("SELECT revision, id, format FROM registry" + lock));
  const auto format = rows.empty() ? INT64_MAX : parse_int(rows.front()[2]).value_or(INT64_MAX);
  if (format > format_) {
    return fail(ErrorCode::kInvalidParameter,
                "The registry was made by a newer version of analyticsd.");
  }
  stored_format_ = format;
  return revision_of(rows.front()[0], rows.front()[1]);
}

void RegistryLog::unlock() {
  if (server_.is_connected() && !server_.ask("ROLLBACK")) server_.disconnect();
}

Status RegistryLog::add(const RegistryStep& step, const std::string& node) {
  const auto number = text_of(step.revision.number);
  const auto id = text_of(step.revision.id);
  const std::vector<std::pair<std::string, std::vector<std::string>>> statements = {
      {"INSERT INTO registry_changes(revision, id, node, rows, spent, removal)"
       " VALUES($1, $2::bytea, $3, $4::bytea, $5, $6)",
       {number, id, node, to_bytea(step.change.rows), text_of(step.change.spent),
        to_text(step.change.removal)}},
      {"UPDATE registry SET revision = $1, id = $2::bytea", {number, id}},
      {kNotify, {}},
      {"COMMIT", {}}};
  for (const auto& [sql, values] : statements) {
    if (auto done = server_.ask(sql, values); !done) {
      unlock();
      return fail(done.error());
    }
  }
  return {};
}

Result<bool> RegistryLog::has(const Revision& revision) {
  TRY(lock());
  const auto rows = server_.ask("SELECT id FROM registry_changes WHERE revision = $1",
                                {text_of(revision.number)});
  unlock();
  if (!rows) return fail(rows.error());
  return !rows->empty() && revision_of("0", rows->front().front()).id == revision.id;
}

Result<std::string> RegistryLog::claim_import(const std::string& node, SiteId site,
                                              const ImportName& import) {
  const auto number = std::to_string(site);
  TRY(server_.ask(
      "INSERT INTO imports(site, name, log, node) VALUES($1, $2, $3, $4) ON CONFLICT DO NOTHING",
      {number, import.name, import.log, node}));
  const auto owner = TRY(
      server_.ask("SELECT node FROM imports WHERE site = $1 AND name = $2", {number, import.name}));
  if (owner.empty()) return fail(ErrorCode::kOverloaded, "The import was undone just now.");
  return owner.front().front();
}

Result<std::vector<std::string>> RegistryLog::keep_imports(
    const std::string& node, std::span<const store::BegunImport> imports) {
  auto all = nlohmann::json::array();
  for (const auto& import : imports) {
    all.push_back({{"site", import.site},
                   {"name", import.name},
                   {"log", import.log},
                   {"whole", import.is_whole}});
  }
  const std::vector<std::string> values{all.dump(), node};
  const std::string begun =
      "jsonb_to_recordset($1) AS begun(site bigint, name text, log text, whole boolean)";
  TRY(server_.ask("INSERT INTO imports(site, name, log, node) SELECT site, name, log, $2 FROM " +
                      begun + " ON CONFLICT DO NOTHING",
                  values));
  const auto others =
      TRY(server_.ask("SELECT name FROM imports JOIN " + begun +
                          " USING(site, name) WHERE whole AND node <> $2 ORDER BY name",
                      values));
  std::vector<std::string> names;
  names.reserve(others.size());
  for (const auto& row : others) names.push_back(row.front());
  return names;
}

Result<std::string> RegistryLog::owner_of(SiteId site, const std::string& name_or_log) {
  const auto owner = TRY(server_.ask(
      "SELECT node FROM imports WHERE site = $1 AND (name = $2 OR (log = $2 AND $2 <> ''))"
      " ORDER BY name = $2 DESC LIMIT 1",
      {std::to_string(site), name_or_log}));
  return owner.empty() ? std::string() : owner.front().front();
}

Status RegistryLog::release_import(const std::string& node, SiteId site,
                                   const std::string& name_or_log) {
  // Releases the import with this name. If no import has it, releases all imports of the rotated
  // log with this name. Undoing an import treats the name in the same way.
  TRY(server_.ask(
      "DELETE FROM imports i WHERE site = $1 AND node = $3 AND (name = $2 OR (log = $2 AND $2 <> ''"
      " AND NOT EXISTS (SELECT FROM imports WHERE site = $1 AND name = $2)))",
      {std::to_string(site), name_or_log, node}));
  return {};
}

Result<std::vector<WrappedSalt>> RegistryLog::keep_salts(std::span<const WrappedSalt> salts) {
  std::string days;
  for (const auto& salt : salts) {
    TRY(
        server_.ask("INSERT INTO salts(day, wrapped, expires_at) VALUES($1, $2::bytea, $3)"
                    " ON CONFLICT DO NOTHING",
                    {std::to_string(days_since_1970(salt.day)), to_bytea(salt.wrapped),
                     std::to_string(salt.expires_at.time_since_epoch().count())}));
    days += (days.empty() ? "" : ",") + std::to_string(days_since_1970(salt.day));
  }
  const auto rows =
      TRY(server_.ask("SELECT day, wrapped, expires_at FROM salts WHERE day = ANY($1::integer[])",
                      {"{" + days + "}"}));
  std::vector<WrappedSalt> all;
  all.reserve(rows.size());
  for (const auto& row : rows) {
    all.push_back({.day = Days(std::chrono::days(number_of(row[0]))),
                   .wrapped = from_bytea(row[1]),
                   .expires_at = UnixSeconds(std::chrono::seconds(number_of(row[2])))});
  }
  return all;
}

Status RegistryLog::destroy_salts(UnixSeconds now) {
  const auto at = std::to_string(now.time_since_epoch().count());
  // The upper limit is relative to PostgreSQL's clock, so that a node with a slow clock does not
  // destroy the other nodes' salts.
  static const auto kOver = "(expires_at <= $1 OR expires_at > extract(epoch FROM now()) + " +
                            std::to_string(std::chrono::seconds(store::kLatestExpiry).count()) +
                            ")";
  const auto over = TRY(server_.ask("SELECT 1 FROM salts WHERE " + kOver + " LIMIT 1", {at}));
  if (over.empty()) return {};
  // A deleted row stays in the table's file until it is overwritten. TRUNCATE gives the table a new
  // file and deletes the old one.
  const auto destroy = [&]() -> Status {
    TRY(server_.ask("BEGIN"));
    TRY(server_.ask("LOCK TABLE salts IN ACCESS EXCLUSIVE MODE"));
    const auto living =
        TRY(server_.ask("SELECT day, wrapped, expires_at FROM salts WHERE NOT " + kOver, {at}));
    TRY(server_.ask("TRUNCATE salts"));
    for (const auto& row : living) {
      TRY(server_.ask("INSERT INTO salts(day, wrapped, expires_at) VALUES($1, $2::bytea, $3)",
                      row));
    }
    TRY(server_.ask("COMMIT"));
    return {};
  };
  auto destroyed = destroy();
  if (!destroyed) unlock();
  return destroyed;
}

}  // namespace analytics::cluster
