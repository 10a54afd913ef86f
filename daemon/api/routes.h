#pragma once

#include <optional>
#include <span>

#include "daemon/api/handlers.h"

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

struct Route {
  http::Method method;
  std::string_view pattern;      ///< "/api/v1/sites/{site}"
  std::optional<Access> access;  ///< The rights that a key needs; none: public.
  BodyLimit body;
  Handler handler;
};

/// The whole table: every path this service answers.
[[nodiscard]] std::span<const Route> routes();

/// A null route with a non-empty `allow` means 405, else 404. HEAD finds the route of GET. Pure.
struct Match {
  const Route* route = nullptr;
  std::vector<std::string> parameters;
  std::string allow;
};
[[nodiscard]] Match find_route(std::span<const Route> table, http::Method method,
                               std::string_view path);

}  // namespace analytics::api
