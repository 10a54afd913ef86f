#include "daemon/store/sqlite/registry/account_links.h"

#include "daemon/store/sqlite/db/changes.h"
#include "daemon/store/sqlite/registry/link_rows.h"

namespace analytics::sqlite {

using store::Changed;

Result<Changed<AccountLink>> AccountLinks::ensure_account_link(AccountId account,
                                                               const WantedLink& wanted,
                                                               UnixSeconds now) {
  return in_transaction(connection_, [&] {
    auto link = ensure_link_row<AccountLink>(connection_, kAccountLinks, account, wanted, now);
    if (link.outcome != ChangeOutcome::kUnchanged) changed_.accounts.insert(account);
    return link;
  });
}

Status AccountLinks::delete_account_link(AccountId account, const std::string& name) {
  return guarded([&] {
    Statement remove(connection_, "DELETE FROM account_links WHERE account = ? AND name = ?");
    remove.run(account, name);
    if (connection_.changes() == 0) {
      throw Error{ErrorCode::kLinkNotFound, "The account has no shared link with this name.", {}};
    }
    changed_.accounts.insert(account);
  });
}

void AccountLinks::add_to(store::Directory& all, const store::ChangedOwners& of) {
  const OwnedReading read{connection_, of.are_all, of.accounts};
  read(select_links(kAccountLinks), "account", all.account_links, read_link<AccountLink>);
}

void AccountLinks::forget_account(Connection& connection, AccountId account) {
  Statement remove(connection, "DELETE FROM account_links WHERE account = ?");
  remove.run(account);
}

}  // namespace analytics::sqlite
