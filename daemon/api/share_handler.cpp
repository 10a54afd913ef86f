#include "common/url.h"
#include "daemon/api/errors.h"
#include "daemon/api/handlers.h"
#include "daemon/web/share_page.h"

namespace analytics::api {
namespace {

constexpr std::chrono::days kPeriod{30};
constexpr int kRows = 10;

http::Response page_response(int status, std::string html) {
  http::Response response(status, "text/html; charset=utf-8", std::move(html));
  response.set("Content-Security-Policy",
               "default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; "
               "form-action 'self'; frame-ancestors 'none'");
  response.set("X-Content-Type-Options", "nosniff");
  response.set("Referrer-Policy", "no-referrer");
  response.set("X-Robots-Tag", "noindex");
  response.set("Cache-Control", "no-store");
  return response;
}

web::SharePage to_page(const std::string& domain, const store::Overview& overview) {
  web::SharePage page{domain, "The last 30 days", {}, {}};
  page.totals = {{"Visitors", overview.visitors}, {"Pageviews", overview.pageviews}};
  web::SharePanel pages{"Pages", "Page", "Visitors", {}};
  for (const auto& row : overview.pages) pages.rows.emplace_back(row.name, row.visitors);
  web::SharePanel events{"Events", "Event", "Count", {}};
  for (const auto& row : overview.events) events.rows.emplace_back(row.name, row.events);
  page.panels = {std::move(pages), std::move(events)};
  return page;
}

}  // namespace

http::Response share_not_found() { return page_response(404, web::render_not_found()); }

void get_share_stylesheet(const Services&, const Call&, http::Responder respond) {
  http::Response css(200, "text/css; charset=utf-8", std::string(web::share_stylesheet()));
  css.set("X-Content-Type-Options", "nosniff").set("Cache-Control", "max-age=3600");
  std::move(respond)(std::move(css));
}

void get_share(const Services& services, const Call& call, http::Responder respond) {
  const auto now = std::chrono::floor<std::chrono::seconds>(services.clock.now());
  const auto domain = normalise_domain(call.path.front());
  const auto* site = domain ? call.snapshot->collecting_site(*domain, now) : nullptr;
  const auto token = query_value(call.request.head.query, "auth");
  // Unknown site and wrong token look the same.
  if (site == nullptr || call.snapshot->link(site->id, token) == nullptr) {
    return std::move(respond)(share_not_found());
  }
  read_on_worker(
      services,
      [id = site->id, name = site->domain, now](store::Reader& reader) -> Result<http::Response> {
        const auto overview =
            reader.stats->overview(id, now - kPeriod, now + std::chrono::hours(24), kRows);
        if (!overview) return fail(overview.error());
        return page_response(200, web::render_share_page(to_page(name, *overview)));
      },
      std::move(respond));
}

}  // namespace analytics::api
