#pragma once

#include <string>

#include "common/run/result.h"
#include "common/text/time.h"
#include "daemon/model/link.h"
#include "daemon/store/changed.h"
#include "daemon/store/directory.h"
#include "daemon/store/sqlite/db/sqlite.h"

namespace analytics::sqlite {

/// Stores the shared links of accounts, whose pages show all sites of an account. Called on the
/// writer thread. Each function returns after its change is on disk. Besides the errors named
/// below, each can fail with kOverloaded (worth retrying) or kInternal. Owns the table
/// account_links.
class AccountLinks {
 public:
  /// Every change adds its account to `changed`. The references must outlive this object.
  AccountLinks(Connection& connection, store::ChangedOwners& changed)
      : connection_(connection), changed_(changed) {}

  /// Finds the account's link with the wanted name, or creates it, and sets its wanted terms.
  Result<store::Changed<AccountLink>> ensure_account_link(AccountId account,
                                                          const WantedLink& wanted,
                                                          UnixSeconds now);
  /// Deletes a link. Errors: kLinkNotFound.
  Status delete_account_link(AccountId account, const std::string& name);

  /// Adds the shared links of the accounts in `of` to the snapshot `all`. Throws SqliteError, as
  /// does forget_account().
  void add_to(store::Directory& all, const store::ChangedOwners& of);
  /// Deletes an account's shared links, inside the transaction that deletes the account.
  static void forget_account(Connection& connection, AccountId account);

 private:
  Connection& connection_;
  store::ChangedOwners& changed_;
};

}  // namespace analytics::sqlite
