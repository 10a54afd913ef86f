#pragma once

#include <string>

#include "common/run/result.h"
#include "common/text/time.h"
#include "daemon/model/link.h"
#include "daemon/store/sites.h"

namespace analytics::store {

/// Stores the shared links of accounts, whose pages show all sites of an account. Called on the
/// writer thread. Each function returns after its change is on disk. Besides the errors named
/// below, each can fail with kOverloaded (worth retrying) or kInternal.
class AccountLinks {
 public:
  virtual ~AccountLinks() = default;
  /// Finds the account's link with the wanted name, or creates it, and sets its wanted terms.
  virtual Result<Changed<AccountLink>> ensure_account_link(AccountId account,
                                                           const WantedLink& wanted,
                                                           UnixSeconds now) = 0;
  /// Deletes a link. Errors: kLinkNotFound.
  virtual Status delete_account_link(AccountId account, const std::string& name) = 0;
};

}  // namespace analytics::store
