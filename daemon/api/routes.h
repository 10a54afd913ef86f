#pragma once

#include <optional>
#include <span>

#include "daemon/api/handlers.h"

namespace analytics::api {

/// The limit of a request body. It also says who parses the body: the dispatcher parses parameters
/// before it calls the handler; handlers parse all other bodies.
enum class BodyLimit { kEvent, kProvisioning, kQuery, kBulk };

struct Route {
  http::Method method;
  std::string_view pattern;     ///< "/api/v1/sites/{site}"
  std::optional<Scope> access;  ///< The scope a key needs; none: public.
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
