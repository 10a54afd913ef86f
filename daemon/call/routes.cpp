#include "daemon/call/routes.h"

#include "daemon/http/router.h"

namespace analytics::api {

Match find_route(std::span<const Route> routes, http::Method method, std::string_view path) {
  const auto wanted = method == http::Method::kHead ? http::Method::kGet : method;
  Match match;
  std::string_view matched;  // the first matching pattern; routes with other patterns do not count
  for (const auto& route : routes) {
    if (!matched.empty() && route.pattern != matched) continue;
    auto found = http::match_path(route.pattern, path);
    if (!found.matches) continue;
    matched = route.pattern;
    if (route.method == wanted) {
      return {&route, std::move(found.parameters), {}};
    }
    if (!match.allow.empty()) match.allow += ", ";
    match.allow += http::method_name(route.method);
    if (route.method == http::Method::kGet) match.allow += ", HEAD";
  }
  return match;
}

}  // namespace analytics::api
