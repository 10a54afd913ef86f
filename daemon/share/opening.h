#pragma once

#include <optional>
#include <string>

#include "daemon/call/call.h"

/// Shared links as requests use them: which one a request names, and whether its terms let the
/// request see the page.
namespace analytics::share {

/// A link that exists and is not over.
struct UsedLink {
  std::string token;
  LinkTerms terms;
  std::optional<AccountId> account{};  ///< Whose sites it opens, all of them; none: one site.
  std::string path;                    ///< The page's: "/share/example.com".
};

/// Finds the link to the page of all sites. Returns nullopt for what does not exist or is over.
[[nodiscard]] std::optional<UsedLink> find_account_link(const api::Services& services,
                                                        const api::Call& call);
/// Finds the link to a site's page, which a link of the account is, too. An unknown site and a
/// wrong token look the same.
[[nodiscard]] std::optional<UsedLink> find_link(const api::Services& services,
                                                const api::Call& call);
/// Returns the site that the request's path names; null if there is none.
[[nodiscard]] const Site* find_site(const api::Call& call, UnixSeconds now);
[[nodiscard]] std::string page_path(const Site& site);

/// True if the link has no password, or the request has the cookie with which the right one was
/// answered.
[[nodiscard]] bool is_unlocked(const UsedLink& link, const http::Head& head, UnixSeconds now);
/// Returns the page that asks for the password of the link, as an answer to this request.
[[nodiscard]] http::Response ask_for_password(const UsedLink& link, const http::Head& head);

/// Returns who may show the page in a frame, as the Content-Security-Policy has it: nobody, if it
/// asks for a password.
[[nodiscard]] std::string frames_of(const api::Services& services, const UsedLink& link);

}  // namespace analytics::share
