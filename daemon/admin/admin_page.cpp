#include "daemon/admin/admin_page.h"

namespace analytics::admin {
namespace {

constexpr char kTextFormat[] = "text/plain; version=0.0.4; charset=utf-8";

http::Response plain(int status, std::string text) {
  return http::Response(status, "text/plain; charset=utf-8", std::move(text));
}

}  // namespace

http::Dispatch admin_page(std::function<std::string()> metrics) {
  return {[](const http::Head&, std::string_view) { return http::Admission{}; },
          [metrics = std::move(metrics)](const http::Request& request, http::Responder respond) {
            const auto& head = request.head;
            if (head.path != "/metrics") {
              return respond(plain(404, "There is only /metrics.\n"));
            }
            if (head.method != http::Method::kGet && head.method != http::Method::kHead) {
              auto response = plain(405, "Only GET.\n");
              response.set("Allow", "GET, HEAD");
              return respond(std::move(response));
            }
            respond(http::Response(200, kTextFormat, metrics()));
          },
          [](const http::Head&, int status) { return plain(status, "Refused.\n"); },
          [](const http::Request&, int, std::chrono::nanoseconds) {}};
}

}  // namespace analytics::admin
