#pragma once

#include <optional>
#include <span>
#include <utility>

#include "daemon/call/call.h"

namespace analytics::api {

/// Kind of a request body, which sets its size limit. The dispatcher parses kProvisioning bodies
/// before it calls the handler; handlers parse all others.
enum class BodyLimit { kEvent, kProvisioning, kQuery, kBulk };

/// Scopes that open a route; any of the two is enough, so that a scope to write can also open
/// routes that read.
struct Access {
  // NOLINTNEXTLINE(google-explicit-constructor): most routes are opened by one scope
  constexpr Access(Scope one, std::optional<Scope> other = {}) : scope(one), or_scope(other) {}

  Scope scope;  ///< Scope that a refusal names.
  std::optional<Scope> or_scope;

  [[nodiscard]] bool is_opened_by(const ApiKey& key) const {
    return key.allows(scope) || (or_scope && key.allows(*or_scope));
  }
};

/// Handles a request. Must answer exactly once.
using Handler = void (*)(const Services&, const Call&, http::Responder);

/// A handler that gives `kHandle` the context that it takes.
template <auto kHandle>
constexpr Handler kHandler =
    [](const Services& services, const Call& call, http::Responder respond) {
      kHandle(services, call, std::move(respond));
    };

struct Route {
  http::Method method;
  std::string_view pattern;      ///< "/api/v1/sites/{site}"
  std::optional<Access> access;  ///< Scopes that a key needs; none for public routes.
  BodyLimit body;
  Handler handler;
  bool any_origin = false;  ///< Pages of any origin may read its answers, refusals included (CORS).
};

struct RouteTable {
  std::span<const Route> routes;                   ///< The first matching route counts.
  http::Response (*not_found)(const http::Head&);  ///< Answers requests for unknown paths.
};

struct Match {
  const Route* route = nullptr;  ///< Null: answer 405 if `allow` is not empty, else 404.
  std::vector<std::string> parameters;
  std::string allow;  ///< Methods that the path supports, if it does not support the given one.
  bool any_origin = false;  ///< `any_origin` of the path's routes.
};
/// Finds the route of a request. HEAD uses the route of GET. Pure.
[[nodiscard]] Match find_route(std::span<const Route> routes, http::Method method,
                               std::string_view path);

}  // namespace analytics::api
