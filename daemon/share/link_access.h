#pragma once

#include <optional>
#include <string>

#include "common/run/worker_pool.h"
#include "daemon/call/call.h"

/// Finds the shared link of a request, and checks whether the link's terms (expiry, password,
/// origins of frames) allow the request to see the page.
namespace analytics::share {

/// The shared link that a request uses; it exists and has not expired.
struct UsedLink {
  std::string token;
  LinkTerms terms;
  AccountId owner = 0;  ///< Account that owns the site or sites that the link opens.
  /// Account whose sites the link opens; nullopt if the link opens a single site.
  std::optional<AccountId> account{};
  std::string path;  ///< Path of the page: "/share/example.com".
};

/// Finds a link to all sites of an account by its token, the URL parameter `auth`. Returns nullopt
/// if there is no such link or it has expired.
[[nodiscard]] std::optional<UsedLink> find_account_link(const api::ReadContext& context,
                                                        const api::Call& call);
/// Finds a link that opens the page of the site in the request's path, by its token, the URL
/// parameter `auth`: a link of the site, or one to all sites of its account. Returns nullopt if the
/// site is unknown, the token is wrong or the link has expired.
[[nodiscard]] std::optional<UsedLink> find_link(const api::ReadContext& context,
                                                const api::Call& call);
/// Returns the site that the request's path names; null if there is no such site.
[[nodiscard]] const Site* find_site(const api::Call& call, UnixSeconds now);
[[nodiscard]] std::string page_path(const Site& site);

/// Returns the lane (see WorkLane) of the link's queries, which limits their share of the threads
/// for queries.
[[nodiscard]] WorkLane lane_of(const api::ReadContext& context, const UsedLink& link);

/// Returns true if the link has no password, or if the request has a valid cookie from an earlier
/// entry of the password.
[[nodiscard]] bool is_unlocked(const UsedLink& link, const http::Head& head, UnixSeconds now);
/// Returns a response (403) with the form that asks for the link's password.
[[nodiscard]] http::Response ask_for_password(const UsedLink& link, const http::Head& head);

/// Returns the origins that may show the page in a frame, as a `frame-ancestors` source list of the
/// Content-Security-Policy. Returns kNoFrames if the link has a password.
[[nodiscard]] std::string frames_of(const api::ReadContext& context, const UsedLink& link);

}  // namespace analytics::share
