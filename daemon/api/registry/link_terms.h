#pragma once

#include <functional>

#include <nlohmann/json_fwd.hpp>

#include "daemon/call/call.h"
#include "daemon/model/link.h"

/// Functions that the handlers of sites' and of accounts' shared links have in common.
namespace analytics::api {

/// Parameters of a request that creates or changes a link, before the checks that take time.
struct LinkRequest {
  WantedLink link;
  std::string password{};  ///< Password to hash; empty: no new password is set.
  AccountId account = 0;   ///< Account of the request's key.
};

/// Reads `name`, `token`, the password and the terms. Errors: kMissingParameter, kInvalidParameter.
[[nodiscard]] Result<LinkRequest> read_link_request(const Call& call);

/// Checks the filters against the site's goals on a worker, hashes the password, and then calls
/// `change` with the requested link; answers with an error if a check fails. `known_hash` is the
/// hash of the link's current password, which is kept if the password has not changed.
void prepare_link(const ChangeContext& context, LinkRequest request, std::string known_hash,
                  std::vector<Goal> goals, http::Responder respond,
                  std::function<void(WantedLink, http::Responder)> change);

/// Returns the link's name, URL and terms as JSON. The password itself is never shown.
[[nodiscard]] nlohmann::ordered_json link_form(const std::string& name, const std::string& url,
                                               const LinkTerms& terms);

}  // namespace analytics::api
