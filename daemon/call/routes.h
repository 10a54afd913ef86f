#pragma once

#include <optional>
#include <span>
#include <utility>

#include "daemon/call/call.h"

namespace analytics::api {

/// Kind of a request body, which sets its size limit. For routes that need a key, the dispatcher
/// parses kProvisioning bodies before it calls the handler; handlers parse all others.
enum class BodyLimit { kEvent, kProvisioning, kQuery, kBulk };

/// Scopes that a key needs for a route. Either of the two is enough, so that a scope to write can
/// also open routes that read.
struct Access {
  // NOLINTNEXTLINE(google-explicit-constructor): lets the route table write a single scope
  constexpr Access(Scope one, std::optional<Scope> other = {}) : scope(one), or_scope(other) {}

  Scope scope;  ///< The scope that the error message of a refusal names.
  std::optional<Scope> or_scope;

  [[nodiscard]] bool is_opened_by(const ApiKey& key) const {
    return key.allows(scope) || (or_scope && key.allows(*or_scope));
  }
};

/// Handles a request. Must call the responder exactly once, now or later.
using Handler = void (*)(const Services&, const Call&, http::Responder);

/// Adapts a function that takes one context, such as ReadContext, to a Handler: Services converts
/// to that context.
template <auto kHandle>
constexpr Handler kHandler =
    [](const Services& services, const Call& call, http::Responder respond) {
      kHandle(services, call, std::move(respond));
    };

struct Route {
  http::Method method;
  std::string_view pattern;      ///< Path pattern, such as "/api/v1/sites/{site}".
  std::optional<Access> access;  ///< Scopes that a key needs; nullopt if the route is public.
  BodyLimit body;
  Handler handler;
};

struct RouteTable {
  std::span<const Route> routes;  ///< All routes; if several match a request, the first counts.
  http::Response (*not_found)(const http::Head&);  ///< Answers requests for unknown paths.
  /// Returns what to do instead of a request to this path, if it is one of Plausible's that does
  /// not exist here; else an empty text.
  std::string_view (*advice)(std::string_view path);
};

/// Result of find_route().
struct Match {
  /// The matching route; null if no route matches. Then answer 405 if `allow` is not empty, else
  /// 404.
  const Route* route = nullptr;
  std::vector<std::string> parameters;  ///< Decoded values of the pattern's `{…}` segments.
  std::string allow;  ///< Value of Allow for a 405; empty if no route has the path.
};
/// Finds the route of a request. HEAD uses the route of GET. Pure.
[[nodiscard]] Match find_route(std::span<const Route> routes, http::Method method,
                               std::string_view path);

}  // namespace analytics::api
