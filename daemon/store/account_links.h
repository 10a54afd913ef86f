#pragma once

#include <string>

#include "common/run/result.h"
#include "common/text/time.h"
#include "daemon/model/link.h"
#include "daemon/store/sites.h"

namespace analytics::store {

/// Shared links of accounts. Called on the writer thread; a change is on disk when it returns.
/// Errors besides those named: kOverloaded (worth retrying), kInternal.
class AccountLinks {
 public:
  virtual ~AccountLinks() = default;
  virtual Result<Changed<AccountLink>> ensure_account_link(AccountId account,
                                                           const WantedLink& wanted,
                                                           UnixSeconds now) = 0;
  /// Deletes a link. Errors: kLinkNotFound.
  virtual Status delete_account_link(AccountId account, const std::string& name) = 0;
};

}  // namespace analytics::store
