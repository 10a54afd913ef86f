#include "daemon/store/sqlite/registry.h"

#include <algorithm>

#include "common/failpoint.h"
#include "common/text.h"
#include "daemon/model/wildcard.h"
#include "daemon/store/event_store.h"
#include "daemon/store/sqlite/rows.h"

namespace analytics::sqlite {
namespace {

using store::Changed;

constexpr std::int64_t kMaxUnknownNames = 1'000;
constexpr char kListSeparator = '\n';  // a domain never has one

Error not_found(ErrorCode code, const char* what) { return {code, what, {}}; }

/// Runs a change and turns what it throws into an Error.
template <typename Change>
auto guarded(Change change) -> Result<decltype(change())> {
  try {
    if constexpr (std::is_void_v<decltype(change())>) {
      change();
      return {};
    } else {
      return change();
    }
  } catch (const SqliteError& error) {
    if (error.is_lost_sync()) throw store::StoreLost(error.what());
    return fail(to_error(error));
  } catch (const Error& error) {
    return fail(error);
  }
}

template <typename Read>
auto read_all(Rows rows, Read read) {
  std::vector<decltype(read(rows))> all;
  while (rows.next()) all.push_back(read(rows));
  return all;
}

std::vector<std::string> split_list(const std::string& text) {
  std::vector<std::string> parts;
  for (const auto part : split(text, kListSeparator)) {
    if (!part.empty()) parts.emplace_back(part);
  }
  return parts;
}

// Each exclusion is matched with every event of its site, before it is stored.
constexpr std::int64_t kMostExclusions = 200;
constexpr std::int64_t kMostPatternBytes = 4'096;  // of a site's exclusions with wildcards

HashKey read_salt(const Rows& row) {
  HashKey salt{};
  const auto blob = row.blob(0);
  std::copy_n(blob.begin(), std::min(blob.size(), salt.size()), salt.begin());
  return salt;
}

}  // namespace

SqliteRegistry::SqliteRegistry(Connection& connection) : connection_(connection) {}

Site SqliteRegistry::load_site(SiteId site) {
  Statement select(connection_, std::string("SELECT ") + kSiteColumns + " FROM sites WHERE id = ?");
  auto rows = select.query(site);
  if (!rows.next()) throw not_found(ErrorCode::kSiteNotFound, "Unknown site.");
  return read_site(rows);
}

void SqliteRegistry::refuse_taken(const std::string& domain, SiteId except) {
  Statement select(connection_,
                   "SELECT id FROM sites WHERE domain = ?1 UNION ALL"
                   " SELECT site FROM site_aliases WHERE domain = ?1");
  auto rows = select.query(domain);
  while (rows.next()) {
    if (rows.int64(0) == except) continue;
    throw Error{
        ErrorCode::kDomainTaken, "The domain " + domain + " is taken.", {{"domain", "is taken"}}};
  }
}

Result<Changed<Site>> SqliteRegistry::create_site(AccountId account, const std::string& domain,
                                                  const std::string& timezone, UnixSeconds now) {
  return guarded([&]() -> Changed<Site> {
    Transaction transaction(connection_);
    refuse_taken(domain, 0);
    Statement insert(connection_,
                     "INSERT INTO sites(account, domain, timezone, created_at) VALUES(?, ?, ?, ?)");
    insert.run(account, domain, timezone, seconds(now));
    const auto site = load_site(connection_.last_insert_id());
    transaction.commit();
    ++revision_;
    return {site, ChangeOutcome::kCreated};
  });
}

Result<Changed<Site>> SqliteRegistry::update_site(SiteId id, const store::SiteUpdate& update,
                                                  UnixSeconds now,
                                                  std::chrono::seconds keep_alias) {
  return guarded([&]() -> Changed<Site> {
    Transaction transaction(connection_);
    const auto before = load_site(id);
    auto after = before;
    after.domain = update.domain.value_or(before.domain);
    after.timezone = update.timezone.value_or(before.timezone);
    if (after.domain == before.domain && after.timezone == before.timezone) {
      return {before, ChangeOutcome::kUnchanged};
    }
    if (after.domain != before.domain) {
      refuse_taken(after.domain, id);
      Statement freed(connection_, "DELETE FROM site_aliases WHERE domain = ?");
      freed.run(after.domain);
      Statement alias(connection_,
                      "INSERT INTO site_aliases(domain, site, expires_at) VALUES(?, ?, ?)");
      alias.run(before.domain, id, seconds(now + keep_alias));
    }
    Statement set(connection_, "UPDATE sites SET domain = ?, timezone = ? WHERE id = ?");
    set.run(after.domain, after.timezone, id);
    transaction.commit();
    ++revision_;
    return {after, ChangeOutcome::kUpdated};
  });
}

Status SqliteRegistry::delete_site(SiteId site) {
  return guarded([&] {
    Transaction transaction(connection_);
    Statement remove(connection_, "DELETE FROM sites WHERE id = ?");
    remove.run(site);
    if (connection_.changes() == 0) throw not_found(ErrorCode::kSiteNotFound, "Unknown site.");
    Statement ranges(connection_,
                     "DELETE FROM import_ranges WHERE import IN (SELECT id FROM imports"
                     " WHERE site = ?1 UNION SELECT import FROM undos WHERE site = ?1)");
    ranges.run(site);
    Statement visits(connection_,
                     "DELETE FROM undo_visits WHERE import IN (SELECT import FROM undos"
                     " WHERE site = ?)");
    visits.run(site);
    for (const auto* table :
         {"goals", "shared_links", "site_aliases", "imports", "exclusions", "undos"}) {
      Statement rows(connection_, std::string("DELETE FROM ") + table + " WHERE site = ?");
      rows.run(site);
    }
    Statement purge(connection_, "INSERT INTO purges(site, next_event) VALUES(?, 0)");
    purge.run(site);
    transaction.commit();
    ++revision_;
  });
}

Status SqliteRegistry::delete_import(SiteId site, const std::string& name) {
  return guarded([&] {
    Transaction transaction(connection_);
    Statement begin(connection_,
                    "INSERT INTO undos(import, site, name, created_at, events, next_event,"
                    " last_event) SELECT id, site, name, created_at, events, first_event,"
                    " (SELECT coalesce(max(id), 0) FROM events) FROM imports"
                    " WHERE site = ? AND name = ?");
    begin.run(site, name);
    if (connection_.changes() == 0) {
      Statement leaving(connection_, "SELECT 1 FROM undos WHERE site = ? AND name = ?");
      if (leaving.query(site, name).next()) return;
      throw not_found(ErrorCode::kImportNotFound, "The site has no such import.");
    }
    Statement remove(connection_, "DELETE FROM imports WHERE site = ? AND name = ?");
    remove.run(site, name);
    transaction.commit();
  });
}

Result<Changed<Link>> SqliteRegistry::ensure_link(SiteId site, const std::string& name,
                                                  const std::string& token, UnixSeconds now) {
  return guarded([&]() -> Changed<Link> {
    Transaction transaction(connection_);
    (void)load_site(site);
    Statement find(connection_, std::string("SELECT ") + kLinkColumns +
                                    " FROM shared_links WHERE site = ? AND name = ?");
    if (auto rows = find.query(site, name); rows.next())
      return {read_link(rows), ChangeOutcome::kUnchanged};
    Statement insert(connection_,
                     "INSERT INTO shared_links(site, name, token, created_at) VALUES(?, ?, ?, ?)");
    insert.run(site, name, token, seconds(now));
    transaction.commit();
    ++revision_;
    return {{site, name, token}, ChangeOutcome::kCreated};
  });
}

Status SqliteRegistry::delete_link(SiteId site, const std::string& name) {
  return guarded([&] {
    Statement remove(connection_, "DELETE FROM shared_links WHERE site = ? AND name = ?");
    remove.run(site, name);
    if (connection_.changes() == 0) {
      throw not_found(ErrorCode::kLinkNotFound, "The site has no shared link with this name.");
    }
    ++revision_;
  });
}

std::int64_t SqliteRegistry::count_rows(const char* table, SiteId site) {
  Statement count(connection_, std::string("SELECT count(*) FROM ") + table + " WHERE site = ?");
  auto rows = count.query(site);
  return rows.next() ? rows.int64(0) : 0;
}

Result<Changed<Goal>> SqliteRegistry::ensure_goal(const Goal& wanted, UnixSeconds now) {
  return guarded([&]() -> Changed<Goal> {
    const auto& [no_id, site, type, value, display_name] = wanted;
    Transaction transaction(connection_);
    (void)load_site(site);
    Statement find(connection_, std::string("SELECT ") + kGoalColumns +
                                    " FROM goals WHERE site = ? AND type = ? AND value = ?");
    std::optional<Goal> found;
    if (auto rows = find.query(site, static_cast<int>(type), value); rows.next()) {
      found = read_goal(rows);
    }
    if (found && (display_name.empty() || display_name == found->display_name)) {
      return {std::move(*found), ChangeOutcome::kUnchanged};
    }
    Statement taken(connection_, "SELECT 1 FROM goals WHERE site = ? AND display_name = ?");
    if (!display_name.empty() && taken.query(site, display_name).next()) {
      throw Error{ErrorCode::kDisplayNameTaken,
                  "Another goal of the site has this display_name.",
                  {{"display_name", "belongs to another goal"}}};
    }
    if (found) {
      Statement rename(connection_, "UPDATE goals SET display_name = ? WHERE id = ?");
      rename.run(display_name, found->id);
      transaction.commit();
      ++revision_;
      found->display_name = display_name;
      return {std::move(*found), ChangeOutcome::kUpdated};
    }
    if (const auto problem = wildcard_problem(value); type == GoalType::kPage && !problem.empty()) {
      throw Error{ErrorCode::kLimitReached, "page_type " + problem + ".", {{"page_type", problem}}};
    }
    if (count_rows("goals", site) >= static_cast<std::int64_t>(kMaxGoals)) {
      throw Error{
          ErrorCode::kLimitReached, "The site already has 1000 goals, which is the limit.", {}};
    }
    Statement insert(connection_,
                     "INSERT INTO goals(site, type, value, created_at, display_name)"
                     " VALUES(?, ?, ?, ?, ?)");
    insert.run(site, static_cast<int>(type), value, seconds(now), display_name);
    auto made = wanted;
    made.id = connection_.last_insert_id();
    transaction.commit();
    ++revision_;
    return {std::move(made), ChangeOutcome::kCreated};
  });
}

Result<Changed<Exclusion>> SqliteRegistry::ensure_exclusion(SiteId site, ExclusionKind kind,
                                                            const std::string& value) {
  return guarded([&]() -> Changed<Exclusion> {
    Transaction transaction(connection_);
    (void)load_site(site);
    Statement find(connection_, std::string("SELECT ") + kExclusionColumns +
                                    " FROM exclusions WHERE site = ? AND kind = ? AND value = ?");
    if (auto rows = find.query(site, static_cast<int>(kind), value); rows.next()) {
      return {read_exclusion(rows), ChangeOutcome::kUnchanged};
    }
    if (const auto problem = wildcard_problem(value); !problem.empty()) {
      throw Error{ErrorCode::kLimitReached, "value " + problem + ".", {{"value", problem}}};
    }
    if (count_rows("exclusions", site) >= kMostExclusions) {
      throw Error{
          ErrorCode::kLimitReached, "The site already has 200 exclusions, which is the limit.", {}};
    }
    Statement patterns(connection_,
                       "SELECT COALESCE(sum(length(CAST(value AS BLOB))), 0) FROM exclusions"
                       " WHERE site = ? AND instr(value, '*') > 0");
    auto bytes = patterns.query(site);
    const auto stored = bytes.next() ? bytes.int64(0) : 0;
    if (count_wildcards(value) > 0 && stored + std::ssize(value) > kMostPatternBytes) {
      throw Error{ErrorCode::kLimitReached,
                  "The site's exclusions with wildcards may have 4096 bytes in all.",
                  {}};
    }
    Statement insert(connection_, "INSERT INTO exclusions(site, kind, value) VALUES(?, ?, ?)");
    insert.run(site, static_cast<int>(kind), value);
    const auto id = connection_.last_insert_id();
    transaction.commit();
    ++revision_;
    return {{id, site, kind, value}, ChangeOutcome::kCreated};
  });
}

Status SqliteRegistry::delete_exclusion(SiteId site, ExclusionId exclusion) {
  return guarded([&] {
    Statement remove(connection_, "DELETE FROM exclusions WHERE site = ? AND id = ?");
    remove.run(site, exclusion);
    if (connection_.changes() == 0) {
      throw not_found(ErrorCode::kExclusionNotFound, "The site has no exclusion with this id.");
    }
    ++revision_;
  });
}

Status SqliteRegistry::delete_goal(SiteId site, GoalId goal) {
  return guarded([&] {
    Statement remove(connection_, "DELETE FROM goals WHERE site = ? AND id = ?");
    remove.run(site, goal);
    if (connection_.changes() == 0) {
      throw not_found(ErrorCode::kGoalNotFound, "The site has no goal with this id.");
    }
    ++revision_;
  });
}

AccountId SqliteRegistry::ensure_account(const std::string& name, UnixSeconds now) {
  Statement insert(connection_, "INSERT OR IGNORE INTO accounts(name, created_at) VALUES(?, ?)");
  insert.run(name, seconds(now));
  Statement find(connection_, "SELECT id FROM accounts WHERE name = ?");
  auto rows = find.query(name);
  rows.next();
  return rows.int64(0);
}

std::vector<ApiKey> SqliteRegistry::load_keys() {
  Statement select(connection_,
                   "SELECT k.id, k.account, a.name, k.hash, k.prefix, k.label, k.scopes, k.sites,"
                   " k.created_at, k.expires_at, k.last_used_at, k.rate_limit"
                   " FROM api_keys k JOIN accounts a ON a.id = k.account ORDER BY k.id");
  return read_all(select.query(), [](const Rows& row) {
    ApiKey key;
    key.id = row.int64(0);
    key.account = row.int64(1);
    key.account_name = row.text(2);
    const auto hash = row.blob(3);
    std::copy_n(hash.begin(), std::min(hash.size(), key.hash.size()), key.hash.begin());
    key.prefix = row.text(4);
    key.label = row.text(5);
    key.scopes = static_cast<std::uint32_t>(row.int64(6));
    key.sites = split_list(row.text(7));
    key.created_at = to_time(row.int64(8));
    key.expires_at = to_time(row.maybe_int64(9));
    key.last_used_at = to_time(row.maybe_int64(10));
    key.rate_limit = row.maybe_int64(11);
    return key;
  });
}

Result<ApiKey> SqliteRegistry::create_key(const store::NewKey& key, UnixSeconds now) {
  return guarded([&]() -> ApiKey {
    Transaction transaction(connection_);
    const auto account = ensure_account(key.account, now);
    Statement insert(connection_,
                     "INSERT INTO api_keys(account, hash, prefix, label, scopes, sites, created_at,"
                     " expires_at, rate_limit) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)");
    const auto expires = key.expires_at ? std::optional(seconds(*key.expires_at)) : std::nullopt;
    const auto sites = join(key.sites, std::string_view(&kListSeparator, 1));
    insert.run(account, Bytes(key.hash), key.prefix, key.label,
               static_cast<std::int64_t>(key.scopes), sites, seconds(now), expires, key.rate_limit);
    auto made = load_keys().back();
    transaction.commit();
    ++revision_;
    return made;
  });
}

Result<std::vector<ApiKey>> SqliteRegistry::list_keys() {
  return guarded([&] { return load_keys(); });
}

Status SqliteRegistry::revoke_key(const std::string& id_or_prefix) {
  return guarded([&] {
    Transaction transaction(connection_);
    Statement find(connection_, "SELECT id FROM api_keys WHERE id = ? OR prefix = ?");
    const auto found = read_all(find.query(parse_int(id_or_prefix).value_or(0), id_or_prefix),
                                [](const Rows& row) { return row.int64(0); });
    if (found.empty()) throw not_found(ErrorCode::kKeyNotFound, "Unknown key.");
    if (found.size() > 1) {
      throw Error{ErrorCode::kInvalidParameter, "Several keys have this prefix: use the id.", {}};
    }
    Statement remove(connection_, "DELETE FROM api_keys WHERE id = ?");
    remove.run(found.front());
    transaction.commit();
    ++revision_;
  });
}

Status SqliteRegistry::record_key_use(std::span<const store::KeyUse> uses) {
  return guarded([&] {
    Transaction transaction(connection_);
    Statement set(connection_, "UPDATE api_keys SET last_used_at = ? WHERE id = ?");
    for (const auto& use : uses) set.run(seconds(use.at), use.key);
    transaction.commit();
  });
}

Result<std::vector<HashKey>> SqliteRegistry::salts(std::span<const SaltDay> days) {
  return guarded([&]() -> std::vector<HashKey> {
    std::vector<HashKey> all;
    Transaction transaction(connection_);
    Statement insert(connection_,
                     "INSERT OR IGNORE INTO salts(day, salt, expires_at) VALUES(?, ?, ?)");
    Statement select(connection_, "SELECT salt FROM salts WHERE day = ?");
    for (const auto& [day, expires_at] : days) {
      const auto number = static_cast<std::int64_t>(day.time_since_epoch().count());
      insert.run(number, Bytes(random_hash_key()), seconds(expires_at));
      auto rows = select.query(number);
      rows.next();
      all.push_back(read_salt(rows));
    }
    transaction.commit();
    return all;
  });
}

Result<std::optional<HashKey>> SqliteRegistry::find_salt(Days day) {
  return guarded([&]() -> std::optional<HashKey> {
    Statement select(connection_, "SELECT salt FROM salts WHERE day = ?");
    auto rows = select.query(static_cast<std::int64_t>(day.time_since_epoch().count()));
    return rows.next() ? std::optional(read_salt(rows)) : std::nullopt;
  });
}

Result<bool> SqliteRegistry::destroy_salts(UnixSeconds now) {
  return guarded([&]() -> bool {
    Statement remove(connection_, "DELETE FROM salts WHERE expires_at <= ?");
    remove.run(seconds(now));
    // secure_delete has overwritten the row; the log still has the page as it was.
    if (connection_.changes() > 0) connection_.want_truncation();
    failpoint("in_salt_rotation");
    return !connection_.truncation_due() || connection_.checkpoint_truncate();
  });
}

Status SqliteRegistry::expire_aliases(UnixSeconds now) {
  return guarded([&] {
    Statement remove(connection_, "DELETE FROM site_aliases WHERE expires_at <= ?");
    remove.run(seconds(now));
    if (connection_.changes() > 0) ++revision_;
  });
}

Status SqliteRegistry::count_outcomes(std::span<const store::OutcomeCount> counts,
                                      std::span<const store::UnknownSite> unknown) {
  return guarded([&] {
    Transaction transaction(connection_);
    Statement add(connection_,
                  "INSERT INTO ingest_counters(site, hour, outcome, count)"
                  " SELECT ?1, ?2, ?3, ?4 WHERE ?1 = 0 OR EXISTS(SELECT 1 FROM sites WHERE id = ?1)"
                  " ON CONFLICT DO UPDATE SET count = count + excluded.count");
    for (const auto& row : counts) {
      add.run(row.site, seconds(row.hour), static_cast<int>(row.outcome), row.count);
    }
    Statement name(connection_,
                   "INSERT INTO unknown_sites(domain, count, last_seen) VALUES(?, ?, ?) ON CONFLICT"
                   " DO UPDATE SET count = count + excluded.count, last_seen = excluded.last_seen");
    for (const auto& row : unknown) name.run(row.domain, row.count, seconds(row.last_seen));
    if (!unknown.empty()) {
      Statement trim_names(connection_,
                           "DELETE FROM unknown_sites WHERE domain IN (SELECT domain FROM"
                           " unknown_sites ORDER BY count DESC, last_seen DESC LIMIT -1 OFFSET ?)");
      trim_names.run(kMaxUnknownNames);
    }
    transaction.commit();
  });
}

Result<store::Directory> SqliteRegistry::directory() {
  return guarded([&]() -> store::Directory {
    store::Directory all;
    Statement sites(connection_, std::string("SELECT ") + kSiteColumns + " FROM sites ORDER BY id");
    all.sites = read_all(sites.query(), read_site);
    Statement aliases(connection_, "SELECT domain, site, expires_at FROM site_aliases");
    all.aliases = read_all(aliases.query(), [](const Rows& row) {
      return SiteAlias{row.text(0), row.int64(1), to_time(row.int64(2))};
    });
    all.keys = load_keys();
    Statement goals(connection_, std::string("SELECT ") + kGoalColumns + " FROM goals ORDER BY id");
    all.goals = read_all(goals.query(), read_goal);
    Statement links(connection_, std::string("SELECT ") + kLinkColumns + " FROM shared_links");
    all.links = read_all(links.query(), read_link);
    Statement exclusions(connection_,
                         std::string("SELECT ") + kExclusionColumns + " FROM exclusions");
    all.exclusions = read_all(exclusions.query(), read_exclusion);
    return all;
  });
}

}  // namespace analytics::sqlite
