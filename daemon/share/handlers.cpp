#include <nlohmann/json.hpp>

#include "common/local_time.h"
#include "common/text.h"
#include "daemon/call/errors.h"
#include "daemon/call/work.h"
#include "daemon/share/handlers.h"
#include "daemon/share/panels.h"
#include "daemon/stats/answer.h"
#include "daemon/stats/realtime.h"
#include "daemon/stats/value_json.h"

namespace analytics::share {
namespace {

constexpr char kPolicy[] =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src "
    "'self'; base-uri 'none'; form-action 'self'; frame-ancestors ";
constexpr char kNobody[] = "'none'";

/// `frames`: who may show it in a frame, as the policy has it.
http::Response& protect(http::Response& response, const std::string& frames = kNobody) {
  return response.set("Content-Security-Policy", kPolicy + frames)
      .set("X-Content-Type-Options", "nosniff")
      .set("Referrer-Policy", "no-referrer")
      .set("X-Robots-Tag", "noindex")
      .set("Cache-Control", "no-store");
}

/// A request for a page whose link is valid.
struct Opened {
  std::string path;
  Parameters parameters;
  Site site;
  std::vector<Goal> goals;
  UnixSeconds now;

  /// Reads the parameters. Belongs on a worker: the regular expressions of filters take time.
  [[nodiscard]] View view() const { return {path, parameters, site, goals, now}; }
};

/// Returns nullopt if the link does not exist; an unknown site and a wrong token look the same.
std::optional<Opened> open_link(const api::Services& services, const api::Call& call) {
  const auto now = services.now_in_seconds();
  const auto domain = normalise_domain(call.request.parameters.front());
  const auto* site = domain ? call.snapshot->collecting_site(*domain, now) : nullptr;
  const auto token = query_value(call.request.head.query, "auth");
  if (site == nullptr || call.snapshot->link(site->id, token) == nullptr) return std::nullopt;
  auto parameters = parse_form(call.request.head.query).value_or(Parameters{});
  std::erase_if(parameters, [](const auto& each) { return each.first == "auth"; });
  parameters.insert(parameters.begin(), {"auth", token});  // the one that opened it
  return Opened{"/share/" + percent_encode(site->domain), std::move(parameters), *site,
                call.snapshot->goals(site->id), now};
}

/// "example.com-pages-2026-11-01-2026-11-21.csv", of what every file system takes.
std::string csv_name(const View& view, std::string_view panel) {
  std::string name;
  for (const char c : view.site().domain) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '-';
    name += is_plain ? c : '_';
  }
  return name + "-" + std::string(panel.empty() ? "chart" : panel) + "-" +
         format_day(view.period().first) + "-" + format_day(view.period().last) + ".csv";
}

/// A page on its way: what is quickly counted first.
struct PendingPage {
  Opened opened;
  Query current;
  std::optional<View> view{};  ///< Made with the first piece.
  Page page{};
  int piece = 0;
};

/// Only the store knows the first day.
Status set_period(View& view, store::Reader& reader) {
  if (!view.asks_for_begin()) return {};
  const auto site = reader.registry->site(view.site().id);
  if (!site) return fail(site.error());
  view.begin_at(known_from(*site));
  return {};
}

Result<std::string> count_csv(View& view, std::string_view panel, store::Reader& reader) {
  if (auto set = set_period(view, reader); !set) return fail(set.error());
  if (!view.problem().empty()) return fail(ErrorCode::kInvalidParameter, view.problem());
  return panel_csv(view, panel, *reader.stats);
}

std::string next_piece(PendingPage& page, store::Reader& reader) {
  if (page.piece++ == 0) {
    auto& view = page.view.emplace(page.opened.view());
    auto counted = set_period(view, reader);
    view.fill(page.page);
    page.page.problem = view.problem();
    if (counted && page.page.problem.empty())
      counted = count_overview(view, page.current, *reader.stats, page.page);
    if (!counted) page.page.problem = counted.error().message;
    return render_overview(page.page);
  }
  if (page.page.problem.empty()) {
    const auto counted = count_panels(*page.view, *reader.stats, page.page);
    if (!counted) page.page.problem = counted.error().message;
  }
  return render_panels(page.page) + render_end();
}

http::BodyParts pieces_of(const api::Services& services, const std::shared_ptr<PendingPage>& page) {
  return [&services, page](std::function<void(http::BodyPart)> take) {
    using Kind = http::BodyPart::Kind;
    if (page->piece > 1) return take({Kind::kEnd, {}});
    api::make_stats_part(
        services, page->opened.site.id,
        [page](store::Reader& reader) {
          return http::BodyPart{Kind::kBytes, next_piece(*page, reader)};
        },
        std::move(take));
  };
}

}  // namespace

http::Response not_found() {
  http::Response response(404, "text/html; charset=utf-8", render_not_found());
  protect(response);
  return response;
}

void get_page(const api::Services& services, const api::Call& call, http::Responder respond) {
  auto opened = open_link(services, call);
  if (!opened) return respond(not_found());
  auto current = realtime_query(opened->site.id, opened->now);
  auto page = std::make_shared<PendingPage>(PendingPage{std::move(*opened), std::move(current)});
  api::read_stats(
      services, page->opened.site.id,
      [&services, page](store::Reader&) -> Result<http::Response> {
        http::Response response(200, "text/html; charset=utf-8", pieces_of(services, page));
        const auto settings = services.settings.snapshot();
        const auto& frames = settings->frame_ancestors;
        protect(response, frames.empty() ? kNobody : frames);
        return response;
      },
      std::move(respond));
}

void get_current(const api::Services& services, const api::Call& call, http::Responder respond) {
  const auto opened = open_link(services, call);
  if (!opened) return respond(not_found());
  api::read_stats(
      services, opened->site.id,
      [query = realtime_query(opened->site.id, opened->now)](
          store::Reader& reader) -> Result<http::Response> {
        const auto answered = answer(query, *reader.stats);
        if (!answered) return fail(answered.error());
        http::Response response(200, "application/json",
                                to_json(answered->rows.front().metrics.front()).dump());
        protect(response);
        return response;
      },
      std::move(respond));
}

void get_csv(const api::Services& services, const api::Call& call, http::Responder respond) {
  auto opened = open_link(services, call);
  if (!opened) return respond(not_found());
  const auto site = opened->site.id;
  api::read_stats(
      services, site,
      [opened = std::move(*opened), panel = query_value(call.request.head.query, "panel")](
          store::Reader& reader) -> Result<http::Response> {
        auto view = opened.view();
        const auto text = count_csv(view, panel, reader);
        if (!text) {
          auto refused = api::error_response(text.error());
          protect(refused);
          return refused;
        }
        http::Response response(200, "text/csv; charset=utf-8", *text);
        protect(response).set("Content-Disposition",
                              "attachment; filename=\"" + csv_name(view, panel) + "\"");
        return response;
      },
      std::move(respond));
}

}  // namespace analytics::share
