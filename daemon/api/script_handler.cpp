#include "daemon/api/handlers.h"
#include "daemon/api/representation.h"
#include "daemon/web/assets.h"

namespace analytics::api {

/// Pages of any site load it.
void get_tracker(const Services&, const Call& call, http::Responder respond) {
  http::Response response(200, "text/javascript; charset=utf-8", std::string(web::script_js()));
  response.set("Access-Control-Allow-Origin", "*")
      .set("Cross-Origin-Resource-Policy", "cross-origin")
      .set("X-Content-Type-Options", "nosniff");
  represented(call.request, Keep::kHour, std::move(respond))(std::move(response));
}

}  // namespace analytics::api
