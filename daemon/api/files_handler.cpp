#include "daemon/api/handlers.h"
#include "daemon/api/representation.h"
#include "daemon/web/assets.h"

namespace analytics::api {

namespace {

/// A file of the program, for pages of any site.
void give_file(const Call& call, const char* type, std::string_view text, http::Responder respond) {
  http::Response response(200, type, std::string(text));
  response.set("Access-Control-Allow-Origin", "*")
      .set("Cross-Origin-Resource-Policy", "cross-origin")
      .set("X-Content-Type-Options", "nosniff");
  represented(call.request, Keep::kHour, std::move(respond))(std::move(response));
}

}  // namespace

void get_tracker(const Services&, const Call& call, http::Responder respond) {
  give_file(call, "text/javascript; charset=utf-8", web::script_js(), std::move(respond));
}

void get_openapi(const Services&, const Call& call, http::Responder respond) {
  give_file(call, "application/json", web::openapi_json(), std::move(respond));
}

void get_share_stylesheet(const Services&, const Call& call, http::Responder respond) {
  give_file(call, "text/css; charset=utf-8", web::share_css(), std::move(respond));
}

void get_share_script(const Services&, const Call& call, http::Responder respond) {
  give_file(call, "text/javascript; charset=utf-8", web::share_js(), std::move(respond));
}

}  // namespace analytics::api
