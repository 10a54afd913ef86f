#pragma once

#include <set>
#include <string>
#include <vector>

#include "daemon/model/funnel.h"
#include "daemon/model/goal.h"
#include "daemon/store/sqlite/db/sqlite.h"

/// Limits how many rows of each kind an owner (a site or an account) may have, because all of
/// these rows are kept in memory, and a change by one owner costs the others time.
namespace analytics::sqlite {

/// A table whose rows belong to sites or accounts, and the maximum number of rows per owner.
struct OwnedRows {
  const char* table;
  /// Kind of owner, "site" or "account"; also the name of the column with its id.
  const char* owner;
  const char* things;  ///< Noun for the rows in error messages, in the plural.
  std::int64_t most;
};
inline constexpr OwnedRows kOwnedGoals{"goals", "site", "goals", kMaxGoals};
inline constexpr OwnedRows kOwnedFunnels{"funnels", "site", "funnels", kMaxFunnels};
inline constexpr OwnedRows kSiteLinks{"shared_links", "site", "shared links", 1'000};
inline constexpr OwnedRows kAccountLinks{"account_links", "account", "shared links", 1'000};
inline constexpr OwnedRows kOwnedAliases{"site_aliases", "site", "former names", 10};
inline constexpr OwnedRows kOwnedSites{"sites", "account", "sites", 10'000};
/// A low limit, because every event of a site is compared with all exclusions of the site before
/// it is stored.
inline constexpr OwnedRows kOwnedExclusions{"exclusions", "site", "exclusions", 200};

/// Throws Error kLimitReached if the owner already has as many rows as it may have.
inline void refuse_more(Connection& connection, const OwnedRows& of, std::int64_t owner) {
  Statement count(connection,
                  std::string("SELECT count(*) FROM ") + of.table + " WHERE " + of.owner + " = ?");
  auto rows = count.query(owner);
  if (!rows.next() || rows.int64(0) < of.most) return;
  throw Error{ErrorCode::kLimitReached,
              std::string("The ") + of.owner + " already has " + std::to_string(of.most) + " " +
                  of.things + ", which is the limit.",
              {}};
}

/// Reads rows that belong to the sites or accounts `owners`, or all rows if `are_all` is true.
struct OwnedReading {
  Connection& connection;
  bool are_all;
  const std::set<std::int64_t>& owners;

  /// Runs `select` for the rows of the owners, and appends the result of `read` for each row to
  /// `into`. `column`: the column with the owner's id. Throws SqliteError.
  template <typename Item, typename Read>
  void operator()(const std::string& select, const std::string& column, std::vector<Item>& into,
                  Read read) const {
    const auto append = [&](Rows rows) {
      while (rows.next()) into.push_back(read(rows));
    };
    Statement wanted(connection,
                     select + (are_all ? " ORDER BY " + column : " WHERE " + column + " = ?"));
    if (are_all) return append(wanted.query());
    for (const auto owner : owners) append(wanted.query(owner));
  }
};

}  // namespace analytics::sqlite
