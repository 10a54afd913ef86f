#pragma once

#include <optional>
#include <string>

#include "common/run/worker_pool.h"
#include "daemon/call/call.h"

/// Finds the shared link that a request names, and checks whether the link's terms allow the
/// request to see the page.
namespace analytics::share {

/// The shared link that a request uses; it exists and has not expired.
struct UsedLink {
  std::string token;
  LinkTerms terms;
  AccountId owner = 0;  ///< Account that owns the site or sites the link opens.
  /// The account, if the link opens all its sites; nullopt: it opens one site.
  std::optional<AccountId> account{};
  std::string path;  ///< Path of the page: "/share/example.com".
};

/// Finds the link to the page of all sites by its token in `auth`. Returns nullopt if there is no
/// such link or it has expired.
[[nodiscard]] std::optional<UsedLink> find_account_link(const api::ReadContext& context,
                                                        const api::Call& call);
/// Finds the link to a site's page by its token in `auth`. A link to all sites of the site's
/// account opens the page, too. Returns nullopt for an unknown site as well as for a wrong token.
[[nodiscard]] std::optional<UsedLink> find_link(const api::ReadContext& context,
                                                const api::Call& call);
/// Returns the site that the request's path names; null if there is no such site.
[[nodiscard]] const Site* find_site(const api::Call& call, UnixSeconds now);
[[nodiscard]] std::string page_path(const Site& site);

/// Returns the lane of the link's queries: the share of the worker pool that they may use.
[[nodiscard]] WorkLane lane_of(const api::ReadContext& context, const UsedLink& link);

/// Returns true if the link has no password, or if the request has a valid cookie from an earlier
/// entry of the password.
[[nodiscard]] bool is_unlocked(const UsedLink& link, const http::Head& head, UnixSeconds now);
/// Returns the response to this request: a form that asks for the link's password.
[[nodiscard]] http::Response ask_for_password(const UsedLink& link, const http::Head& head);

/// Returns the origins that may show the page in a frame, as a `frame-ancestors` source list of the
/// Content-Security-Policy: kNoFrames if the link has a password.
[[nodiscard]] std::string frames_of(const api::ReadContext& context, const UsedLink& link);

}  // namespace analytics::share
