#include "daemon/call/errors.h"

#include "common/wire/api_types.h"

namespace analytics::api {
namespace {

constexpr char kJson[] = "application/json";

/// An error in the HTTP framing of a request. Its code is not an ErrorCode, because no handler ever
/// returns it.
struct FramingError {
  int status;
  const char* code;
  const char* message;
};
constexpr FramingError kFramingErrors[] = {
    {400, "malformed_request", "The request is not well-formed HTTP."},
    {408, "request_timeout", "The request took too long to arrive."},
    {413, "body_too_large", "The body is larger than this route allows."},
    {414, "target_too_long", "The request target is too long."},
    {417, "expectation_failed", "Only 100-continue can be expected."},
    {431, "headers_too_large", "The request's header is too large."},
    {501, "not_implemented", "The method or transfer coding is not implemented."},
    {505, "version_not_supported", "Only HTTP/1.1 and HTTP/1.0 are supported."},
};

}  // namespace

http::Response error_response(const Error& error, std::chrono::seconds wait) {
  auto shown = error;
  if (error.code == ErrorCode::kInternal) shown = {error.code, "Internal error.", {}};
  http::Response response(error_info(error.code).status, kJson, error_body(shown));
  if (error.code == ErrorCode::kUnauthorized) response.set("WWW-Authenticate", "Bearer");
  const bool passes = error.code == ErrorCode::kOverloaded ||
                      error.code == ErrorCode::kRegistryStale ||
                      error.code == ErrorCode::kRegistryNotUpgraded;
  if (passes) {
    response.set("Retry-After", "1");
  }
  if (error.code == ErrorCode::kRateLimited) {
    response.set("Retry-After", std::to_string(wait.count()));
  }
  return response;
}

http::Response error_response(ErrorCode code, std::string message) {
  return error_response({code, std::move(message), {}});
}

http::Response framing_response(const http::Head&, int status) {
  for (const auto& known : kFramingErrors) {
    if (known.status != status) continue;
    return http::Response(
        status, kJson,
        std::string(R"({"error":")") + known.message + R"(","code":")" + known.code + R"("})");
  }
  return http::Response(status, kJson, R"({"error":"Refused.","code":"malformed_request"})");
}

}  // namespace analytics::api
