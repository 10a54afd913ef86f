#pragma once

#include <functional>

#include <nlohmann/json_fwd.hpp>

#include "daemon/call/call.h"
#include "daemon/model/link.h"

/// Functions for both kinds of shared links: those to a site and those to an account's sites.
namespace analytics::api {

/// A request to create or change a shared link. The link's filters are not checked and its password
/// is not hashed yet.
struct LinkRequest {
  WantedLink link;
  std::string password{};  ///< Password to hash; empty to set no new password.
  AccountId account = 0;   ///< Account of the request's key.
};

/// Parses the link's name, token, password, expiry, filters, period and frame ancestors. Errors:
/// kMissingParameter, kInvalidParameter.
[[nodiscard]] Result<LinkRequest> read_link_request(const Call& call);

/// Checks the link's filters against the site's goals, hashes its password, and then calls `change`
/// with the link to store. The check and the hash run on other threads, because they are slow. If a
/// check fails, answers with the error instead. `known_hash`: hash of the link's current password,
/// which is kept if the password is the same; empty for a link without a password.
void prepare_link(const ChangeContext& context, LinkRequest request, std::string known_hash,
                  std::vector<Goal> goals, http::Responder respond,
                  std::function<void(WantedLink, http::Responder)> change);

/// Returns the link's name, URL and terms as JSON. The password itself is never shown.
[[nodiscard]] nlohmann::ordered_json link_form(const std::string& name, const std::string& url,
                                               const LinkTerms& terms);

}  // namespace analytics::api
