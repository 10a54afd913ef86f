#pragma once

#include <string>

#include "daemon/model/link.h"
#include "daemon/store/changed.h"
#include "daemon/store/sqlite/db/rows.h"
#include "daemon/store/sqlite/registry/owned_rows.h"

/// Reads and writes the rows of shared links. Links of sites and of accounts have the same
/// columns, in two tables.
namespace analytics::sqlite {

/// Returns "SELECT … FROM …" without a condition, for rows that read_link() reads.
[[nodiscard]] inline std::string select_links(const OwnedRows& of) {
  return std::string("SELECT ") + of.owner +
         ", name, token, password, expires_at, filters, period, frame_ancestors FROM " + of.table;
}

/// Reads a row of select_links(). AnyLink is Link or AccountLink.
template <typename AnyLink>
[[nodiscard]] AnyLink read_link(const Rows& row) {
  return {row.int64(0),
          row.text(1),
          row.text(2),
          {row.text(3), to_time(row.maybe_int64(4)), row.text(5), row.text(6), row.text(7)}};
}

/// Finds the owner's link with the wanted name or creates it, and sets the wanted terms. Throws
/// SqliteError, and Error kLimitReached if the owner already has as many links as it may have.
/// Called inside a transaction.
template <typename AnyLink>
store::Changed<AnyLink> ensure_link_row(Connection& connection, const OwnedRows& of,
                                        std::int64_t owner, const WantedLink& wanted,
                                        UnixSeconds now) {
  AnyLink link{owner, wanted.name, wanted.token, {}};
  Statement find(connection, select_links(of) + " WHERE " + of.owner + " = ? AND name = ?");
  auto outcome = ChangeOutcome::kCreated;
  if (auto rows = find.query(owner, wanted.name); rows.next()) {
    link = read_link<AnyLink>(rows);
    outcome = ChangeOutcome::kUnchanged;
  } else {
    refuse_more(connection, of, owner);
    Statement insert(connection, std::string("INSERT INTO ") + of.table + "(" + of.owner +
                                     ", name, token, created_at) VALUES(?, ?, ?, ?)");
    insert.run(owner, link.name, link.token, seconds(now));
  }
  if (!wanted.terms.apply_to(link.terms)) return {link, outcome};
  const auto& [password, expires_at, filters, period, frames] = link.terms;
  Statement update(connection, std::string("UPDATE ") + of.table +
                                   " SET password = ?, expires_at = ?, filters = ?, period = ?,"
                                   " frame_ancestors = ? WHERE " +
                                   of.owner + " = ? AND name = ?");
  update.run(password, expires_at ? std::optional(seconds(*expires_at)) : std::nullopt, filters,
             period, frames, owner, link.name);
  if (outcome == ChangeOutcome::kUnchanged) outcome = ChangeOutcome::kUpdated;
  return {link, outcome};
}

}  // namespace analytics::sqlite
