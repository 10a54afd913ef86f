#pragma once

#include "daemon/store/account_links.h"
#include "daemon/store/directory.h"
#include "daemon/store/sqlite/db/sqlite.h"

namespace analytics::sqlite {

/// Stores the shared links of accounts. Owns the table account_links.
class SqliteAccountLinks final : public store::AccountLinks {
 public:
  /// Every change adds its account to `changed`. The references must outlive this object.
  SqliteAccountLinks(Connection& connection, store::ChangedOwners& changed)
      : connection_(connection), changed_(changed) {}

  Result<store::Changed<AccountLink>> ensure_account_link(AccountId account,
                                                          const WantedLink& wanted,
                                                          UnixSeconds now) override;
  Status delete_account_link(AccountId account, const std::string& name) override;

  /// Adds the shared links of the accounts in `of` to the directory. Throws SqliteError, as does
  /// forget_account().
  void add_to(store::Directory& all, const store::ChangedOwners& of);
  /// Deletes an account's shared links, inside the transaction that deletes the account.
  static void forget_account(Connection& connection, AccountId account);

 private:
  Connection& connection_;
  store::ChangedOwners& changed_;
};

}  // namespace analytics::sqlite
