#include "daemon/share/security_headers.h"

namespace analytics::share {
namespace {

constexpr char kPolicy[] =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src "
    "'self'; base-uri 'none'; form-action 'self'; frame-ancestors ";

}  // namespace

http::Response& protect(http::Response& response, const std::string& frames) {
  return response.set("Content-Security-Policy", kPolicy + frames)
      .set("X-Content-Type-Options", "nosniff")
      .set("Referrer-Policy", "no-referrer")
      .set("X-Robots-Tag", "noindex")
      .set("Cache-Control", "no-store");
}

}  // namespace analytics::share
