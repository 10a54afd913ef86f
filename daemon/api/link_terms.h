#pragma once

#include <functional>

#include <nlohmann/json_fwd.hpp>

#include "daemon/call/call.h"
#include "daemon/model/link.h"

/// The part of the API that shared links of sites and of accounts have in common.
namespace analytics::api {

/// The parameters of a request that ensures a link, read as far as that costs nothing.
struct LinkRequest {
  WantedLink link;
  std::string password{};  ///< To be hashed; empty: none was given, or it is to be removed.
};

/// Reads `name`, `token` and the terms. Errors: kMissingParameter, kInvalidParameter.
[[nodiscard]] Result<LinkRequest> read_link_request(const Call& call);

/// Checks the filters against the site's goals on a worker, hashes the password, and then calls
/// `change` with the link that is wanted. Answers with an error otherwise. `known_hash` is the
/// password's hash that the link has so far: the same password leaves it as it is.
void prepare_link(const Services& services, LinkRequest request, std::string known_hash,
                  std::vector<Goal> goals, http::Responder respond,
                  std::function<void(WantedLink, http::Responder)> change);

/// Returns name and URL, and the terms that the link has. The password itself is never shown.
[[nodiscard]] nlohmann::ordered_json link_form(const std::string& name, const std::string& url,
                                               const LinkTerms& terms);

}  // namespace analytics::api
