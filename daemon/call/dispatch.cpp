#include "daemon/call/dispatch.h"

#include <algorithm>
#include <memory>
#include <vector>

#include "common/text/text.h"
#include "daemon/call/errors.h"
#include "daemon/call/request_log.h"
#include "daemon/call/routes.h"
#include "daemon/call/work.h"
#include "daemon/http/router.h"
#include "daemon/model/exclusion.h"

namespace analytics::api {
namespace {

/// Maximum size, in bytes, of a body that is read before the API key was checked.
constexpr std::int64_t kSmallBody = 16'384;
constexpr char kEveryMethod[] = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS";
/// Header fields that let pages of any origin read a response. Keys are sent in a header and not as
/// cookies, so a page can only send a key that it was given.
constexpr std::string_view kAnyOrigin =
    "Access-Control-Allow-Origin: *\r\n"
    "Access-Control-Expose-Headers: X-Analytics-Dropped, X-Plausible-Dropped, "
    "X-Analytics-Ignored, X-Analytics-Outcome, X-Request-Id, Retry-After\r\n";

/// Returns true if pages of any origin may read all answers to the path, including errors.
bool is_open(std::string_view path) {
  const auto begin = http::first_segment(path);
  return begin == "api" || begin == "js" || begin == "assets";
}

http::Response wrong_method(const std::string& allow) {
  auto response =
      error_response(ErrorCode::kMethodNotAllowed, "This path does not take this method.");
  response.set("Allow", allow);
  return response;
}

/// Answers a browser that asks what a page may send (CORS preflight). A browser shows the page the
/// error for an unknown path only if it may send the request, so every path has an answer.
http::Response preflight(const std::string& methods) {
  http::Response response;
  response.set("Access-Control-Allow-Methods", methods)
      .set("Access-Control-Allow-Headers",
           "Authorization, Content-Type, Idempotency-Key, X-Debug-Request, X-Requested-With")
      .set("Access-Control-Max-Age", "86400");
  return response;
}

/// Finds the route of a request. A path of Plausible that does not exist here has no route, even if
/// it looks like the path of a site.
Match match_request(const RouteTable& table, const http::Head& head) {
  auto match = find_route(table.routes, head.method, head.path);
  const bool is_literal = match.route != nullptr && match.parameters.empty();
  if (!is_literal && !table.advice(head.path).empty()) return {};
  return match;
}

http::Response no_route(const RouteTable& table, const http::Head& head, const Match& match) {
  if (head.method == http::Method::kOptions && head.path == "*") {  // RFC 9110, section 9.3.7
    http::Response response;
    response.set("Allow", kEveryMethod);
    return response;
  }
  const bool is_known = !match.allow.empty();
  if (is_open(head.path)) {
    const auto methods = is_known ? match.allow + ", OPTIONS" : std::string(kEveryMethod);
    if (head.method == http::Method::kOptions) return preflight(methods);
    if (is_known) return wrong_method(methods);
  }
  if (is_known) return wrong_method(match.allow);
  if (head.method == http::Method::kTrace || head.method == http::Method::kConnect) {
    return wrong_method(kEveryMethod);  // no route supports TRACE or CONNECT
  }
  return table.not_found(head);
}

/// Returns the key of a request if it has a scope that `access` asks for. Errors: those of
/// authenticate(), and kMissingScope.
Result<const ApiKey*> authorize(const CallContext& context, const http::Head& head,
                                std::string_view peer, const DirectorySnapshot& snapshot,
                                const Access& access) {
  auto key = authenticate(context, head, peer, snapshot);
  if (key && !access.is_opened_by(**key)) {
    return fail(ErrorCode::kMissingScope,
                "The key lacks the scope " + std::string(scope_name(access.scope)) + ".");
  }
  return key;
}

/// Counts a request of the key. Returns a 429 response if the key has used up its requests of the
/// hour, else nullopt. Imports are never counted.
std::optional<http::Response> refuse_too_many(const Services& services, const ApiKey& key,
                                              Scope scope) {
  const CallContext& context = services;
  const auto setting = static_cast<std::int64_t>(context.settings.snapshot()->rate_limit_per_hour);
  const auto most = key.rate_limit.value_or(setting);
  if (most == 0 || scope == Scope::kEventsImport) return std::nullopt;
  const auto wait =
      services.key_rates.take(key.id, static_cast<std::uint64_t>(most), context.now_in_seconds());
  if (!wait) return std::nullopt;
  return error_response(
      {ErrorCode::kRateLimited,
       "This key may send " + std::to_string(most) + " requests an hour; wait until the hour ends.",
       {}},
      *wait);
}

std::size_t body_limit(const CallContext& context, const Match& match) {
  const auto settings = context.settings.snapshot();
  const auto kind = match.route == nullptr ? BodyLimit::kProvisioning : match.route->body;
  switch (kind) {
    case BodyLimit::kEvent: return settings->event_body;
    case BodyLimit::kProvisioning:
    case BodyLimit::kQuery: return settings->provisioning_body;
    case BodyLimit::kBulk: return settings->bulk_body;
  }
  return 0;
}

/// Returns the maximum number of bytes that the body of a bulk request may need in memory: its
/// Content-Length if that is known and the body is not compressed, else `limit`.
std::size_t bulk_need(const http::Head& head, std::size_t limit) {
  const auto length = parse_int(head.field("Content-Length"));
  const bool plain = length && !head.has_field("Content-Encoding");
  return plain ? std::min(static_cast<std::size_t>(*length), limit) : limit;
}

/// Finds the route and its body limit. For a bulk request, a large body, or a client that waits for
/// 100-continue, also checks the key, so that no body is read in vain; and reserves memory for a
/// bulk request.
http::Admission admit(const Services& services, const RouteTable& table, const http::Head& head,
                      std::string_view peer) {
  const ReadContext& context = services;
  auto match = match_request(table, head);
  http::Admission admission;
  admission.body_limit = body_limit(context, match);
  if (match.route != nullptr) {
    admission.route = static_cast<std::size_t>(match.route - table.routes.data());
    admission.parameters = std::move(match.parameters);
  }
  const bool bulk = match.route != nullptr && match.route->body == BodyLimit::kBulk;
  const auto length = parse_int(head.field("Content-Length")).value_or(0);
  const bool large = length > kSmallBody || head.has_field("Transfer-Encoding");
  if (!bulk && !large && !head.expects_continue) return admission;
  if (match.route == nullptr) {
    admission.refusal = no_route(table, head, match);
    return admission;
  }
  std::string owner;
  if (match.route->access) {
    const auto snapshot = context.directory.snapshot();
    const auto key = authorize(context, head, peer, *snapshot, *match.route->access);
    if (!key) {
      admission.refusal = error_response(key.error());
    } else if (*key != nullptr) {
      owner = memory_owner(turn_of(context, (*key)->account));
    }
  }
  if (bulk && !admission.refusal) {
    admission.hold =
        context.memory.reserve_bulk(bulk_need(head, admission.body_limit), std::move(owner));
    if (admission.hold == nullptr) {
      admission.refusal = error_response(ErrorCode::kOverloaded, "Too many imports at once.");
    }
  }
  return admission;
}

/// Wraps the responder to forbid caching, because the answers of routes that need a key can contain
/// events and the secrets of links.
http::Responder kept_private(const http::Responder& respond) {
  return respond.changing([](http::Response response) {
    if (response.field("Cache-Control").empty()) response.set("Cache-Control", "no-store");
    response.set("X-Content-Type-Options", "nosniff");
    return response;
  });
}

/// Returns the known parameters as "name=value …" for the daemon's log. Values that may be secrets,
/// addresses or sent by visitors are replaced by "***".
std::string shown_parameters(const Params& params) {
  const auto* type = params.find("type");
  const auto kind = type == nullptr ? std::nullopt : parse_exclusion_kind(trim(*type));
  const bool shows_value = kind && *kind != ExclusionKind::kAddress;
  std::vector<std::string> all;
  for (const auto& known : known_parameters()) {
    const auto* value = params.find(known.name);
    if (value == nullptr) continue;
    const bool is_shown =
        known.is_logged || value->empty() || (known.name == "value" && shows_value);
    all.push_back(std::string(known.name) + "=" + (is_shown ? *value : "***"));
  }
  return join(all, " ");
}

/// Wraps the responder to log a successful change: the key, its account, the request and its
/// parameters.
http::Responder audited(const CallContext& context, const Call& call,
                        const http::Responder& respond) {
  const auto& head = call.request.head;
  auto change = std::string(http::method_name(head.method)) + " " + std::string(head.path);
  return respond.changing([&log = context.log, key = std::to_string(call.key->id),
                           account = call.key->account_name, change = std::move(change),
                           object = shown_parameters(call.params)](http::Response response) {
    if (response.status() < 300) {
      log.info("change", {{"key", key},
                          {"account", account},
                          {"request", change},
                          {"parameters", object},
                          {"outcome", std::string(response.field("X-Analytics-Outcome"))}});
    }
    return response;
  });
}

/// Returns true for routes of shared pages. A node that cannot read the cluster's registry must not
/// serve them, because their links may have been deleted.
bool is_page(const Route& route) { return route.pattern.starts_with("/share/"); }

void handle(const Services& services, const RouteTable& table, const http::Request& request,
            http::Responder responder) {
  const CallContext& context = services;
  if (request.route == http::kNoRoute) {  // admit() found no route
    return responder(no_route(table, request.head, match_request(table, request.head)));
  }
  const auto& route = table.routes[request.route];
  auto respond = route.access ? kept_private(responder) : std::move(responder);
  Call call{request, Params(), context.directory.snapshot(), nullptr};
  if (route.access) {
    const auto key = authorize(context, request.head, request.peer, *call.snapshot, *route.access);
    if (!key) return respond(error_response(key.error()));
    call.key = *key;
    if (auto refusal = refuse_too_many(services, **key, route.access->scope)) {
      return respond(std::move(*refusal));
    }
  }
  if (route.access && route.body == BodyLimit::kProvisioning) {
    auto params = read_params(request);
    if (!params) return respond(error_response(params.error()));
    call.params = std::move(*params);
    if (const auto& ignored = call.params.ignored(); !ignored.empty()) {
      respond = respond.changing([ignored](http::Response response) {
        name_ignored(response, ignored);
        return response;
      });
    }
    const bool is_read = route.method == http::Method::kGet || route.method == http::Method::kHead;
    if (!is_read) respond = audited(context, call, respond);
  }
  if (context.cluster.registry_refusal && is_page(route)) {
    if (const auto refusal = context.cluster.registry_refusal())
      return respond(error_response(*refusal));
  }
  route.handler(services, call, std::move(respond));
}

}  // namespace

std::vector<Metrics::Route> metric_routes(const RouteTable& table) {
  std::vector<Metrics::Route> all;
  for (const auto& route : table.routes) {
    all.push_back({std::string(http::method_name(route.method)), std::string(route.pattern)});
  }
  return all;
}

http::Dispatch make_dispatch(const Services& services, RouteTable table) {
  const CallContext& context = services;
  http::Dispatch dispatch;
  dispatch.client_of = [&context](std::string_view peer) {
    return limited_peer(peer, context.settings.snapshot()->trusted_proxies);
  };
  dispatch.admit = [&services, table](const http::Head& head, std::string_view peer) {
    return admit(services, table, head, peer);
  };
  dispatch.handle = [&services, table](const http::Request& request, http::Responder respond) {
    handle(services, table, request, std::move(respond));
  };
  dispatch.owner = [&context](const http::Head& head, std::string_view peer) {
    return limited_client(verified_client(context, head, peer)).value_or("");
  };
  dispatch.refuse = framing_response;
  dispatch.fields = [](const http::Head& head) {
    return is_open(head.path) ? kAnyOrigin : std::string_view();
  };
  dispatch.finished =
      [&context, table, log = std::make_shared<RequestLog>(context.log, context.clock)](
          const http::Request& request, int status, std::chrono::nanoseconds elapsed) {
        context.metrics.answered(request.route, status, elapsed);
        const bool has_route = request.route != http::kNoRoute;
        if (!has_route && status == 404 && http::first_segment(request.head.path) == "api") {
          context.metrics.unknown_path(redacted_path(request.head));
        }
        log->note(has_route ? &table.routes[request.route] : nullptr, request, status);
      };
  return dispatch;
}

}  // namespace analytics::api
