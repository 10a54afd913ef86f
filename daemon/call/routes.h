#pragma once

#include <optional>
#include <span>

#include "daemon/call/call.h"

namespace analytics::api {

/// The limit of a request body. It also says who parses the body: the dispatcher parses parameters
/// before it calls the handler; handlers parse all other bodies.
enum class BodyLimit { kEvent, kProvisioning, kQuery, kBulk };

/// The scopes any of which opens a route. Who may write something may read it.
struct Access {
  // NOLINTNEXTLINE(google-explicit-constructor): most routes are opened by one scope
  constexpr Access(Scope one, std::optional<Scope> other = {}) : scope(one), or_scope(other) {}

  Scope scope;  ///< The one that a refusal names.
  std::optional<Scope> or_scope;

  [[nodiscard]] bool is_opened_by(const ApiKey& key) const {
    return key.allows(scope) || (or_scope && key.allows(*or_scope));
  }
};

/// Answers exactly once.
using Handler = void (*)(const Services&, const Call&, http::Responder);

struct Route {
  http::Method method;
  std::string_view pattern;      ///< "/api/v1/sites/{site}"
  std::optional<Access> access;  ///< The rights that a key needs; none: public.
  BodyLimit body;
  Handler handler;
  bool any_origin = false;  ///< Pages of any origin may read its answers, refusals included (CORS).
};

struct RouteTable {
  std::span<const Route> routes;                   ///< The first match counts.
  http::Response (*not_found)(const http::Head&);  ///< Answers a path that no route has.
};

struct Match {
  const Route* route = nullptr;  ///< Null: 405 with a non-empty `allow`, else 404.
  std::vector<std::string> parameters;
  std::string allow;  ///< The methods that the path takes, when the given one is none of them.
  bool any_origin = false;  ///< As the routes of the path have it.
};
/// HEAD finds the route of GET. Pure.
[[nodiscard]] Match find_route(std::span<const Route> routes, http::Method method,
                               std::string_view path);

}  // namespace analytics::api
