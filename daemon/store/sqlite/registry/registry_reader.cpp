#include "daemon/store/sqlite/registry/registry_reader.h"

#include <algorithm>

#include "daemon/store/sqlite/db/changes.h"
#include "daemon/store/sqlite/db/rows.h"
#include "daemon/store/sqlite/registry/alert_log.h"
#include "daemon/store/sqlite/registry/funnels.h"
#include "daemon/store/sqlite/registry/link_rows.h"
#include "daemon/store/sqlite/tables/event_hours.h"
#include "daemon/store/sqlite/tables/late_events.h"
#include "daemon/store/sqlite/tables/part_table.h"

namespace analytics::sqlite {
namespace {

using store::Page;
using store::PageRequest;

/// Returns the end of a statement `SELECT … WHERE …` that makes it select the rows of a page and
/// one extra row, which shows whether there are more.
std::string page_clause(const PageRequest& page) {
  const auto limit = " LIMIT " + std::to_string(page.limit + 1);
  if (page.before) return " AND id < " + std::to_string(*page.before) + " ORDER BY id DESC" + limit;
  return " AND id > " + std::to_string(page.after.value_or(0)) + " ORDER BY id" + limit;
}

/// Makes a page of the rows that a statement with page_clause() selects: removes the extra row,
/// and sets the cursors of the previous and next page if they exist.
template <typename Item>
Page<Item> to_page(std::vector<Item> items, const PageRequest& request) {
  const auto limit = static_cast<std::size_t>(request.limit);
  const bool more = items.size() > limit;
  if (more) items.resize(limit);
  if (request.before) std::reverse(items.begin(), items.end());
  Page<Item> page{std::move(items), {}};
  if (page.items.empty()) return page;
  if (more || request.before) page.ends.after = page.items.back().id;
  if (request.before ? more : request.after.has_value()) page.ends.before = page.items.front().id;
  return page;
}

template <typename Item, typename Read, typename... Args>
Page<Item> read_page(Connection& connection, const std::string& select, Read read,
                     const PageRequest& request, const Args&... args) {
  Statement statement(connection, select + page_clause(request));
  auto rows = statement.query(args...);
  std::vector<Item> items;
  while (rows.next()) items.push_back(read(rows));
  return to_page(std::move(items), request);
}

/// Returns the sum of all imports of a rotated access log, as a single import that has the log's
/// name.
Import joined(const std::string& log, const std::vector<Import>& imports) {
  auto all = imports.front();
  all.name = log;
  all.log.clear();
  all.events = all.totals = 0;
  all.sources.clear();
  std::map<Days, std::int64_t> lost;
  for (const auto& import : imports) {
    all.created_at = std::min(all.created_at, import.created_at);
    all.events += import.events;
    all.totals += import.totals;
    all.sources.insert(all.sources.end(), import.sources.begin(), import.sources.end());
    all.imports.push_back(import.name);
    for (const auto& [day, events] : import.recognition_lost) lost[day] += events;
  }
  all.recognition_lost.clear();
  for (const auto& [day, events] : lost) all.recognition_lost.push_back({day, events});
  return all;
}

}  // namespace

Result<Page<Site>> SqliteRegistryReader::list_sites(AccountId account,
                                                    const std::vector<std::string>& only,
                                                    const PageRequest& page) {
  try {
    const auto select = std::string("SELECT ") + kSiteColumns + " FROM sites WHERE account = ?";
    if (only.empty()) return read_page<Site>(connection_, select, read_site, page, account);
    std::string names;
    for (const auto& domain : only) names += '\n' + domain + '\n';
    return read_page<Site>(connection_,
                           select + " AND instr(?, char(10) || domain || char(10)) > 0", read_site,
                           page, account, names);
  } catch (const SqliteError& error) {
    return fail(to_error(error));
  }
}

Result<Site> SqliteRegistryReader::site(SiteId id) {
  try {
    auto site = find_site(connection_, id);
    if (!site) return fail(ErrorCode::kSiteNotFound, "Unknown site.");
    return std::move(*site);
  } catch (const SqliteError& error) {
    return fail(to_error(error));
  }
}

Result<Page<Goal>> SqliteRegistryReader::list_goals(SiteId site, const PageRequest& page) {
  try {
    return read_page<Goal>(connection_,
                           std::string("SELECT ") + kGoalColumns + " FROM goals WHERE site = ?",
                           read_goal, page, site);
  } catch (const SqliteError& error) {
    return fail(to_error(error));
  }
}

Result<Page<Exclusion>> SqliteRegistryReader::list_exclusions(SiteId site,
                                                              const PageRequest& page) {
  try {
    return read_page<Exclusion>(
        connection_, std::string("SELECT ") + kExclusionColumns + " FROM exclusions WHERE site = ?",
        read_exclusion, page, site);
  } catch (const SqliteError& error) {
    return fail(to_error(error));
  }
}

Result<std::vector<Link>> SqliteRegistryReader::list_links(SiteId site) {
  try {
    Statement statement(connection_, select_links(kSiteLinks) + " WHERE site = ? ORDER BY id");
    return read_all(statement.query(site), read_link<Link>);
  } catch (const SqliteError& error) {
    return fail(to_error(error));
  }
}

Result<std::vector<Funnel>> SqliteRegistryReader::list_funnels(SiteId site) {
  try {
    Statement statement(connection_, std::string("SELECT ") + kFunnelColumns +
                                         " FROM funnels WHERE site = ? ORDER BY id");
    auto rows = statement.query(site);
    std::vector<Funnel> funnels;
    while (rows.next()) funnels.push_back(read_funnel(rows));
    return funnels;
  } catch (const SqliteError& error) {
    return fail(to_error(error));
  }
}

Result<std::vector<AccountLink>> SqliteRegistryReader::list_account_links(AccountId account) {
  try {
    Statement statement(connection_,
                        select_links(kAccountLinks) + " WHERE account = ? ORDER BY id");
    return read_all(statement.query(account), read_link<AccountLink>);
  } catch (const SqliteError& error) {
    return fail(to_error(error));
  }
}

Result<std::optional<UnixSeconds>> SqliteRegistryReader::last_event_at(SiteId site) {
  try {
    const Snapshot snapshot(connection_);
    return to_time(std::max(last_row(connection_, site), last_sealed(connection_, site)));
  } catch (const SqliteError& error) {
    return fail(to_error(error));
  }
}

Result<std::optional<UnixSeconds>> SqliteRegistryReader::last_alert_at(SiteId site,
                                                                       AlertKind kind) {
  try {
    return read_last_alert(connection_, site, kind);
  } catch (const SqliteError& error) {
    return fail(to_error(error));
  }
}

Result<Page<Import>> SqliteRegistryReader::list_imports(SiteId site, const PageRequest& page) {
  try {
    auto imports = read_page<Import>(
        connection_, std::string("SELECT ") + kImportColumns + " FROM imports WHERE site = ?",
        read_import, page, site);
    for (auto& import : imports.items) read_sources(import, {});
    return imports;
  } catch (const SqliteError& error) {
    return fail(to_error(error));
  }
}

Result<std::vector<store::OutcomeCount>> SqliteRegistryReader::list_drops(SiteId site,
                                                                          UnixSeconds since) {
  try {
    Statement statement(connection_,
                        "SELECT hour, outcome, count FROM ingest_counters WHERE site = ?"
                        " AND hour >= ? AND outcome != ? ORDER BY hour DESC, outcome");
    auto rows = statement.query(site, seconds(since), static_cast<int>(EventOutcome::kStored));
    std::vector<store::OutcomeCount> drops;
    while (rows.next()) {
      drops.push_back(
          {site, to_time(rows.int64(0)), static_cast<EventOutcome>(rows.int64(1)), rows.int64(2)});
    }
    return drops;
  } catch (const SqliteError& error) {
    return fail(to_error(error));
  }
}

Result<Import> SqliteRegistryReader::import(SiteId site, const std::string& name_or_log,
                                            const store::WantedRanges& wanted) {
  try {
    const Snapshot snapshot(connection_);
    for (const char* by : {"name", "log"}) {
      Statement statement(connection_, std::string("SELECT ") + kImportColumns +
                                           " FROM imports WHERE site = ? AND " + by +
                                           " = ? ORDER BY id");
      auto imports = read_all(statement.query(site, name_or_log), read_import);
      if (imports.empty()) continue;
      for (auto& import : imports) read_sources(import, wanted);
      auto found = by == std::string_view("name") ? imports.front() : joined(name_or_log, imports);
      // The events of an earlier import with this name may not all be removed yet.
      found.undoing = leaving_import(site, name_or_log).has_value();
      return found;
    }
    return leaving_import(site, name_or_log);
  } catch (const SqliteError& error) {
    return fail(to_error(error));
  }
}

Result<Import> SqliteRegistryReader::leaving_import(SiteId site, const std::string& name_or_log) {
  Statement statement(
      connection_,
      "SELECT min(import), site, ?2, min(created_at), sum(max(0, events - removed)),"
      " 0, '' FROM removals WHERE site = ?1 AND (name = ?2 OR log = ?2)"
      " GROUP BY site");
  auto rows = statement.query(site, name_or_log);
  if (!rows.next()) return fail(ErrorCode::kImportNotFound, "The site has no such import.");
  auto import = read_import(rows);
  import.undoing = true;
  return import;
}

void SqliteRegistryReader::read_sources(Import& import, const store::WantedRanges& wanted) {
  import.recognition_lost = late_events_of(connection_, import.id);
  Statement statement(connection_,
                      std::string("SELECT source, first, last, content FROM import_ranges"
                                  " WHERE import = ?1") +
                          (wanted.source ? " AND source = ?2" : "") + " ORDER BY source, first");
  auto rows = wanted.source ? statement.query(import.id, Bytes(*wanted.source))
                            : statement.query(import.id);
  while (rows.next()) {
    Digest source{};
    const auto bytes = rows.blob(0);
    std::copy_n(bytes.begin(), std::min(bytes.size(), source.size()), source.begin());
    if (import.sources.empty() || import.sources.back().id != source) {
      import.sources.push_back({source, {}});
    }
    auto& ranges = import.sources.back().ranges;
    Import::Range range{{rows.int64(1), rows.int64(2)}, {}};
    const auto content = rows.blob(3);
    std::copy_n(content.begin(), std::min(content.size(), range.content.size()),
                range.content.begin());
    if (!wanted.each && !ranges.empty() && ranges.back().bytes.to == range.bytes.from) {
      ranges.back().bytes.to = range.bytes.to;
    } else {
      ranges.push_back(range);
    }
  }
}

}  // namespace analytics::sqlite
