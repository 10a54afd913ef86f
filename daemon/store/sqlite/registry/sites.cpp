#include "daemon/store/sqlite/registry/sites.h"

#include "daemon/model/wildcard.h"
#include "daemon/store/sqlite/db/changes.h"
#include "daemon/store/sqlite/db/rows.h"
#include "daemon/store/sqlite/registry/alert_log.h"
#include "daemon/store/sqlite/registry/funnels.h"
#include "daemon/store/sqlite/registry/link_rows.h"
#include "daemon/store/sqlite/registry/owned_rows.h"
#include "daemon/store/sqlite/removal/site_purge.h"

namespace analytics::sqlite {
namespace {

using store::Changed;

/// Maximum total size, in bytes, of a site's exclusions that contain wildcards.
constexpr std::int64_t kMaxPatternBytes = 4'096;

Error not_found(ErrorCode code, const char* what) { return {code, what, {}}; }

}  // namespace

Site Sites::load_site(SiteId site) {
  auto found = find_site(connection_, site);
  if (!found) throw not_found(ErrorCode::kSiteNotFound, "Unknown site.");
  return std::move(*found);
}

void Sites::refuse_taken(const std::string& domain, SiteId except) {
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

Result<Changed<Site>> Sites::create_site(AccountId account, const std::string& domain,
                                         const std::string& timezone, UnixSeconds now) {
  return in_transaction(connection_, [&]() -> Changed<Site> {
    refuse_taken(domain, 0);
    refuse_more(connection_, kOwnedSites, account);
    Statement insert(connection_,
                     "INSERT INTO sites(account, domain, timezone, created_at) VALUES(?, ?, ?, ?)");
    insert.run(account, domain, timezone, seconds(now));
    const auto site = load_site(connection_.last_insert_id());
    changed_.sites.insert(site.id);
    return {site, ChangeOutcome::kCreated};
  });
}

Result<Changed<Site>> Sites::update_site(SiteId id, const store::SiteUpdate& update,
                                         UnixSeconds now, std::chrono::seconds keep_alias) {
  return in_transaction(connection_, [&]() -> Changed<Site> {
    const auto before = load_site(id);
    auto after = before;
    after.domain = update.domain.value_or(before.domain);
    after.timezone = update.timezone.value_or(before.timezone);
    if (update.keep) after.keep = update.keep;
    after.keep_totals = update.keep_totals.value_or(before.keep_totals);
    after.languages = update.languages.value_or(before.languages);
    const bool is_kept_as_before =
        after.keep == before.keep && after.keep_totals == before.keep_totals;
    if (!is_kept_as_before) after.keep_at = now + kBeforePurge;
    if (after.domain == before.domain && after.timezone == before.timezone && is_kept_as_before &&
        after.languages == before.languages) {
      return {before, ChangeOutcome::kUnchanged};
    }
    if (after.domain != before.domain) {
      refuse_taken(after.domain, id);
      Statement freed(connection_, "DELETE FROM site_aliases WHERE domain = ?");
      freed.run(after.domain);
      refuse_more(connection_, kOwnedAliases, id);
      Statement alias(connection_,
                      "INSERT INTO site_aliases(domain, site, expires_at) VALUES(?, ?, ?)");
      alias.run(before.domain, id, seconds(now + keep_alias));
    }
    Statement set(connection_,
                  "UPDATE sites SET domain = ?, timezone = ?, keep = ?, keep_at = ?,"
                  " keep_totals = ?, languages = ? WHERE id = ?");
    const auto keep = after.keep ? std::optional(to_text(*after.keep)) : std::nullopt;
    set.run(after.domain, after.timezone, keep, seconds(after.keep_at), after.keep_totals ? 1 : 0,
            after.languages ? 1 : 0, id);
    changed_.sites.insert(id);
    return {after, ChangeOutcome::kUpdated};
  });
}

Status Sites::move_site(const std::string& domain, const std::string& account) {
  return in_transaction(connection_, [&] {
    Statement find(connection_, "SELECT id FROM accounts WHERE name = ?");
    auto found = find.query(account);
    if (!found.next()) throw not_found(ErrorCode::kNotFound, "There is no such account.");
    Statement move(connection_, "UPDATE sites SET account = ? WHERE domain = ? RETURNING id");
    const auto moved =
        read_all(move.query(found.int64(0), domain), [](const Rows& row) { return row.int64(0); });
    if (moved.empty()) throw not_found(ErrorCode::kSiteNotFound, "Unknown site.");
    changed_.sites.insert(moved.front());
  });
}

Status Sites::delete_site(SiteId site) {
  return in_transaction(connection_, [&] {
    Statement remove(connection_, "DELETE FROM sites WHERE id = ?");
    remove.run(site);
    if (connection_.changes() == 0) throw not_found(ErrorCode::kSiteNotFound, "Unknown site.");
    for (const auto* table : {"goals", "shared_links", "site_aliases", "exclusions"}) {
      Statement rows(connection_, std::string("DELETE FROM ") + table + " WHERE site = ?");
      rows.run(site);
    }
    Funnels::forget_site(connection_, site);
    forget_site(site);
    changed_.sites.insert(site);
  });
}

void Sites::forget_site(SiteId site) {
  imports_.forget_site(site);
  AlertLog::forget_site(connection_, site);
  SitePurge::request(connection_, site);
}

Result<Changed<Link>> Sites::ensure_link(SiteId site, const WantedLink& wanted, UnixSeconds now) {
  return in_transaction(connection_, [&] {
    (void)load_site(site);
    auto link = ensure_link_row<Link>(connection_, kSiteLinks, site, wanted, now);
    if (link.outcome != ChangeOutcome::kUnchanged) changed_.sites.insert(site);
    return link;
  });
}

Status Sites::delete_link(SiteId site, const std::string& name) {
  return guarded([&] {
    Statement remove(connection_, "DELETE FROM shared_links WHERE site = ? AND name = ?");
    remove.run(site, name);
    if (connection_.changes() == 0) {
      throw not_found(ErrorCode::kLinkNotFound, "The site has no shared link with this name.");
    }
    changed_.sites.insert(site);
  });
}

Result<Changed<Goal>> Sites::ensure_goal(const Goal& wanted, UnixSeconds now) {
  return in_transaction(connection_, [&]() -> Changed<Goal> {
    const auto& [no_id, site, type, value, display_name] = wanted;
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
      changed_.sites.insert(site);
      found->display_name = display_name;
      return {std::move(*found), ChangeOutcome::kUpdated};
    }
    if (const auto problem = wildcard_problem(value); type == GoalType::kPage && !problem.empty()) {
      throw Error{ErrorCode::kLimitReached, "page_type " + problem + ".", {{"page_type", problem}}};
    }
    refuse_more(connection_, kOwnedGoals, site);
    Statement insert(connection_,
                     "INSERT INTO goals(site, type, value, created_at, display_name)"
                     " VALUES(?, ?, ?, ?, ?)");
    insert.run(site, static_cast<int>(type), value, seconds(now), display_name);
    auto made = wanted;
    made.id = connection_.last_insert_id();
    changed_.sites.insert(site);
    return {std::move(made), ChangeOutcome::kCreated};
  });
}

Status Sites::delete_goal(SiteId site, GoalId goal) {
  return guarded([&] {
    Statement remove(connection_, "DELETE FROM goals WHERE site = ? AND id = ?");
    remove.run(site, goal);
    if (connection_.changes() == 0) {
      throw not_found(ErrorCode::kGoalNotFound, "The site has no goal with this id.");
    }
    changed_.sites.insert(site);
  });
}

Result<Changed<Exclusion>> Sites::ensure_exclusion(SiteId site, ExclusionKind kind,
                                                   const std::string& value) {
  return in_transaction(connection_, [&]() -> Changed<Exclusion> {
    (void)load_site(site);
    Statement find(connection_, std::string("SELECT ") + kExclusionColumns +
                                    " FROM exclusions WHERE site = ? AND kind = ? AND value = ?");
    if (auto rows = find.query(site, static_cast<int>(kind), value); rows.next()) {
      return {read_exclusion(rows), ChangeOutcome::kUnchanged};
    }
    if (const auto problem = wildcard_problem(value); !problem.empty()) {
      throw Error{ErrorCode::kLimitReached, "value " + problem + ".", {{"value", problem}}};
    }
    refuse_more(connection_, kOwnedExclusions, site);
    Statement patterns(connection_,
                       "SELECT COALESCE(sum(length(CAST(value AS BLOB))), 0) FROM exclusions"
                       " WHERE site = ? AND instr(value, '*') > 0");
    auto bytes = patterns.query(site);
    const auto stored = bytes.next() ? bytes.int64(0) : 0;
    if (count_wildcards(value) > 0 && stored + std::ssize(value) > kMaxPatternBytes) {
      throw Error{ErrorCode::kLimitReached,
                  "The site's exclusions with wildcards may have " +
                      std::to_string(kMaxPatternBytes) + " bytes in all.",
                  {}};
    }
    Statement insert(connection_, "INSERT INTO exclusions(site, kind, value) VALUES(?, ?, ?)");
    insert.run(site, static_cast<int>(kind), value);
    const auto id = connection_.last_insert_id();
    changed_.sites.insert(site);
    return {{id, site, kind, value}, ChangeOutcome::kCreated};
  });
}

Status Sites::delete_exclusion(SiteId site, ExclusionId exclusion) {
  return guarded([&] {
    Statement remove(connection_, "DELETE FROM exclusions WHERE site = ? AND id = ?");
    remove.run(site, exclusion);
    if (connection_.changes() == 0) {
      throw not_found(ErrorCode::kExclusionNotFound, "The site has no exclusion with this id.");
    }
    changed_.sites.insert(site);
  });
}

Status Sites::expire_aliases(UnixSeconds now) {
  return guarded([&] {
    Statement remove(connection_, "DELETE FROM site_aliases WHERE expires_at <= ? RETURNING site");
    auto freed = remove.query(seconds(now));
    while (freed.next()) changed_.sites.insert(freed.int64(0));
  });
}

void Sites::add_to(store::Directory& all, const store::ChangedOwners& of) {
  const OwnedReading read{connection_, of.are_all, of.sites};
  read("SELECT " + std::string(kSiteColumns) + " FROM sites", "id", all.sites, read_site);
  read("SELECT domain, site, expires_at FROM site_aliases", "site", all.aliases,
       [](const Rows& row) {
         return SiteAlias{row.text(0), row.int64(1), to_time(row.int64(2))};
       });
  read("SELECT " + std::string(kGoalColumns) + " FROM goals", "site", all.goals, read_goal);
  read(select_links(kSiteLinks), "site", all.links, read_link<Link>);
  read("SELECT " + std::string(kExclusionColumns) + " FROM exclusions", "site", all.exclusions,
       read_exclusion);
}

}  // namespace analytics::sqlite
