#pragma once

#include "daemon/model/api_key.h"
#include "daemon/model/exclusion.h"
#include "daemon/model/goal.h"
#include "daemon/model/import.h"
#include "daemon/model/site.h"
#include "daemon/store/sqlite/db/sqlite.h"

/// Converts stored values, and reads rows of the registry's tables into structs. Each list of
/// columns is directly above the function that reads a row with these columns.
namespace analytics::sqlite {

[[nodiscard]] inline std::int64_t seconds(UnixSeconds time) {
  return time.time_since_epoch().count();
}
[[nodiscard]] inline UnixSeconds to_time(std::int64_t value) {
  return UnixSeconds(std::chrono::seconds(value));
}
[[nodiscard]] inline std::optional<UnixSeconds> to_time(std::optional<std::int64_t> value) {
  return value ? std::optional(to_time(*value)) : std::nullopt;
}

/// Returns the stored form of a day: the number of days since 1970.
[[nodiscard]] inline std::int64_t number_of(Days day) { return day.time_since_epoch().count(); }
[[nodiscard]] inline UnixMillis to_unix_millis(std::int64_t millis) {
  return UnixMillis(std::chrono::milliseconds(millis));
}
[[nodiscard]] inline Days to_day(std::int64_t number) { return Days(std::chrono::days(number)); }

/// The columns that read_site() reads. A statement that selects them must not give the table sites
/// an alias, because the subqueries use the table's name.
inline constexpr char kSiteColumns[] =
    "id, account, domain, timezone, created_at, first_event_at, keep, keep_at, keep_totals,"
    " languages, (SELECT min(first_day) FROM total_batches t WHERE t.site = sites.id"
    " AND t.state = 1 AND t.import = 0), (SELECT min(first_day) FROM total_batches t"
    " WHERE t.site = sites.id AND t.state = 1 AND t.import <> 0)";
[[nodiscard]] inline Site read_site(const Rows& row) {
  Site site{row.int64(0), row.int64(1),          row.text(2),
            row.text(3),  to_time(row.int64(4)), to_time(row.maybe_int64(5))};
  if (const auto keep = parse_retention(row.text(6))) site.keep = *keep;
  site.keep_at = to_time(row.int64(7));
  site.keep_totals = row.int64(8) != 0;
  site.languages = row.int64(9) != 0;
  if (const auto day = row.maybe_int64(10)) site.totals_from = to_day(*day);
  if (const auto day = row.maybe_int64(11)) site.imported_from = to_day(*day);
  return site;
}

[[nodiscard]] inline std::optional<Site> find_site(Connection& connection, SiteId site) {
  Statement select(connection, std::string("SELECT ") + kSiteColumns + " FROM sites WHERE id = ?");
  auto rows = select.query(site);
  return rows.next() ? std::optional(read_site(rows)) : std::nullopt;
}

inline constexpr char kGoalColumns[] = "id, site, type, value, display_name";
[[nodiscard]] inline Goal read_goal(const Rows& row) {
  return {row.int64(0), row.int64(1), static_cast<GoalType>(row.int64(2)), row.text(3),
          row.text(4)};
}

inline constexpr char kExclusionColumns[] = "id, site, kind, value";
[[nodiscard]] inline Exclusion read_exclusion(const Rows& row) {
  return {row.int64(0), row.int64(1), static_cast<ExclusionKind>(row.int64(2)), row.text(3)};
}

inline constexpr char kImportColumns[] = "id, site, name, created_at, events, totals, log";
[[nodiscard]] inline Import read_import(const Rows& row) {
  return {row.int64(0), row.int64(1), row.text(2), to_time(row.int64(3)),
          row.int64(4), row.int64(5), {},          false,
          row.text(6)};
}

}  // namespace analytics::sqlite
