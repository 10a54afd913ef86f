#include "daemon/api/dispatch.h"

#include "daemon/api/errors.h"
#include "daemon/api/routes.h"

namespace analytics::api {
namespace {

bool is_event(const http::Head& head) { return head.path == "/api/event"; }

/// Wraps the responder so that the answer is logged: stored events only at debug level.
http::Responder logged(const Services& services, const http::Request& request,
                       http::Responder respond) {
  auto shared = std::make_shared<http::Responder>(std::move(respond));
  auto& log = services.log;
  if (is_event(request.head) && !log.enabled(LogLevel::kDebug)) {
    return http::Responder([shared, &log, id = request.id](http::Response response) {
      if (response.status() != 202) {
        log.info("request", {{"request_id", id},
                             {"path", "/api/event"},
                             {"status", std::to_string(response.status())}});
      }
      std::move (*shared)(std::move(response));
    });
  }
  return http::Responder([shared, &log, id = request.id,
                          method = http::method_name(request.head.method),
                          path = std::string(request.head.path)](http::Response response) {
    log.info("request", {{"request_id", id},
                         {"method", std::string(method)},
                         {"path", path},
                         {"status", std::to_string(response.status())}});
    std::move (*shared)(std::move(response));
  });
}

http::Response no_route(const http::Request& request, const Match& match) {
  if (match.allow.empty()) {
    if (request.head.path == "/share" || request.head.path.starts_with("/share/"))
      return share_not_found();
    return error_response(ErrorCode::kNotFound, "There is no such path.");
  }
  auto response =
      error_response(ErrorCode::kMethodNotAllowed, "This path does not take this method.");
  response.set("Allow", match.allow);
  if (is_event(request.head)) allow_any_origin(response);
  return response;
}

/// Key and scope of a provisioning request. Errors: kUnauthorized, kRateLimited, kMissingScope.
Result<const ApiKey*> authorize(const Services& services, const Call& call, Scope scope) {
  auto key = authenticate(services, call);
  if (key && !(*key)->allows(scope)) {
    return fail(ErrorCode::kMissingScope,
                "The key lacks the scope " + std::string(scope_name(scope)) + ".");
  }
  return key;
}

void handle(const Services& services, const http::Request& request, http::Responder raw) {
  auto respond = logged(services, request, std::move(raw));
  auto match = find_route(routes(), request.head.method, request.head.path);
  if (match.route == nullptr) return std::move(respond)(no_route(request, match));
  Call call{request, std::move(match.parameters), Params(), services.directory.snapshot(), nullptr};
  if (match.route->access) {
    const auto key = authorize(services, call, *match.route->access);
    if (!key) return std::move(respond)(error_response(key.error()));
    call.key = *key;
    auto params = read_params(request);
    if (!params) return std::move(respond)(error_response(params.error()));
    call.params = std::move(*params);
  }
  match.route->handler(services, call, std::move(respond));
}

}  // namespace

http::Dispatch make_dispatch(const Services& services) {
  return {[&services](const http::Head& head) {
            const auto match = find_route(routes(), head.method, head.path);
            const bool event = match.route != nullptr && match.route->body == BodyLimit::kEvent;
            return event ? services.config.event_body : services.config.provisioning_body;
          },
          [&services](const http::Request& request, http::Responder respond) {
            handle(services, request, std::move(respond));
          },
          [](const http::Head& head, int status) {
            auto response = framing_response(head, status);
            if (is_event(head)) allow_any_origin(response);
            return response;
          }};
}

}  // namespace analytics::api
