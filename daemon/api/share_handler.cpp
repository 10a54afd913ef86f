#include "common/url.h"
#include "daemon/api/errors.h"
#include "daemon/api/handlers.h"
#include "daemon/stats/answer.h"
#include "daemon/web/share_page.h"

namespace analytics::api {
namespace {

constexpr std::chrono::days kPeriod{30};
constexpr std::size_t kRows = 10;

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

std::int64_t whole(const Value& value) {
  return static_cast<std::int64_t>(std::get<double>(value));
}

std::vector<Query> queries_of(SiteId site, UnixSeconds now) {
  Query totals;
  totals.selection.site = site;
  totals.selection.range = {now - kPeriod, now + std::chrono::hours(24)};
  totals.metrics = {Metric::kVisitors, Metric::kPageviews};
  auto pages = totals;
  pages.dimensions = {{Field::kPage, {}}};
  pages.limit = kRows;
  auto events = pages;
  events.dimensions = {{Field::kName, {}}};
  return {totals, pages, events};
}

web::SharePage to_page(const std::string& domain, const std::vector<Answer>& answers) {
  web::SharePage page{domain, "The last 30 days", {}, {}};
  const auto& totals = answers.front().rows.front().metrics;
  page.totals = {{"Visitors", whole(totals[0])}, {"Pageviews", whole(totals[1])}};
  const auto add = [&](const char* title, const char* named, const Answer& answer) {
    web::SharePanel panel{title, named, "Visitors", {}};
    for (const auto& row : answer.rows) {
      panel.rows.emplace_back(row.dimensions.front(), whole(row.metrics.front()));
    }
    page.panels.push_back(std::move(panel));
  };
  add("Pages", "Page", answers[1]);
  add("Events", "Event", answers[2]);
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
  read_stats(
      services,
      [id = site->id, name = site->domain, now](store::Reader& reader) -> Result<http::Response> {
        const auto answers = answer(queries_of(id, now), *reader.stats);
        if (!answers) return fail(answers.error());
        return page_response(200, web::render_share_page(to_page(name, *answers)));
      },
      std::move(respond));
}

}  // namespace analytics::api
