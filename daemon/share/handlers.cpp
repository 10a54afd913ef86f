#include <map>

#include <nlohmann/json.hpp>

#include "common/event_outcome.h"
#include "common/grouped.h"
#include "common/local_time.h"
#include "common/text.h"
#include "daemon/call/errors.h"
#include "daemon/call/representation.h"
#include "daemon/call/work.h"
#include "daemon/share/funnel_panel.h"
#include "daemon/share/handlers.h"
#include "daemon/share/opening.h"
#include "daemon/share/panels.h"
#include "daemon/share/protect.h"
#include "daemon/stats/answer.h"
#include "daemon/stats/value_json.h"

namespace analytics::share {
namespace {

/// A request for a page whose link is valid.
struct Opened {
  UsedLink link;
  Parameters parameters;
  Site site;
  std::vector<Goal> goals;
  UnixSeconds now;
  std::vector<Link> siblings{};  ///< Pages of all sites and of each site that the link opens.

  /// Reads the parameters. Call it on a worker, because regular expressions in filters take time.
  [[nodiscard]] View view() const { return {link.path, parameters, link.terms, site, goals, now}; }
};

/// Finds the page that a request names. If there is no such link, or its password is missing,
/// answers the request and returns nullopt.
std::optional<Opened> open_page(const api::Services& services, const api::Call& call,
                                const http::Responder& respond) {
  const auto now = services.now_in_seconds();
  auto link = find_link(services, call);
  if (!link) {
    respond(not_found());
    return std::nullopt;
  }
  if (!is_unlocked(*link, call.request.head, now)) {
    respond(ask_for_password(*link, call.request.head));
    return std::nullopt;
  }
  const auto& site = *find_site(call, now);
  auto parameters = parse_form(call.request.head.query).value_or(Parameters{});
  std::erase_if(parameters, [](const auto& each) { return each.first == "auth"; });
  parameters.insert(parameters.begin(), {"auth", link->token});  // the token that opened the page
  Opened opened{std::move(*link), std::move(parameters), site, call.snapshot->goals(site.id), now};
  if (!opened.link.account) return opened;
  const auto query = "?auth=" + percent_encode(opened.link.token);
  opened.siblings.push_back({"All sites", "/share/@all" + query, false});
  for (const auto* each : call.snapshot->sites_of(site.account)) {
    opened.siblings.push_back({each->domain, page_path(*each) + query, each->id == site.id});
  }
  return opened;
}

/// Returns "example.com-pages-2026-11-01-2026-11-21.csv", with only characters that every file
/// system accepts.
std::string csv_name(const View& view, std::string_view panel) {
  std::string name;
  for (const char c : view.site().domain) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '-';
    name += is_plain ? c : '_';
  }
  return name + "-" + std::string(panel.empty() ? "chart" : panel) + "-" +
         format_day(view.period().first) + "-" + format_day(view.period().last) + ".csv";
}

/// A page while its pieces are sent. The first piece has the numbers that are counted quickly.
struct PendingPage {
  Opened opened;
  std::string base_url;
  std::optional<View> view{};  ///< Made with the first piece.
  Page page{};
  int piece = 0;
};

/// Tells the view, if it needs to know, the time from which the store has data of the site.
Status set_period(View& view, store::Reader& reader) {
  if (!view.asks_for_begin()) return {};
  const auto site = reader.registry->site_of_now(view.site().id);
  if (!site) return fail(site.error());
  view.begin_at(known_from(*site));
  return {};
}

Result<std::string> count_csv(View& view, std::string_view panel, store::Reader& reader) {
  if (auto set = set_period(view, reader); !set) return fail(set.error());
  if (!view.problem().empty()) return fail(ErrorCode::kInvalidParameter, view.problem());
  if (panel == kFunnels) return funnel_csv(view, *reader.registry, *reader.stats);
  return panel_csv(view, panel, *reader.stats);
}

/// Returns the content of the page while the site has never had an event; nullopt afterwards.
Result<std::optional<Page::Empty>> find_empty(const PendingPage& page, store::Reader& reader) {
  constexpr std::chrono::days kOfDrops{7};
  const auto& domain = page.opened.site.domain;
  const auto site = reader.registry->site(page.opened.site.id);
  if (!site) return fail(site.error());
  if (known_from(*site)) return std::nullopt;
  Page::Empty empty{"<script defer data-domain=\"" + domain + "\" src=\"" + page.base_url +
                        "/js/script.js\"></script>",
                    {}};
  if (!page.opened.link.terms.filters.empty()) return empty;  // drops are not filtered
  const auto drops = reader.registry->list_drops(site->id, page.opened.now - kOfDrops);
  if (!drops) return fail(drops.error());
  std::map<EventOutcome, std::int64_t> counts;
  for (const auto& drop : *drops) counts[drop.outcome] += drop.count;
  for (const auto& [outcome, count] : counts) {
    empty.drops.emplace_back(grouped(count), outcome_meaning(outcome));
  }
  return empty;
}

std::string next_piece(PendingPage& page, store::Reader& reader) {
  if (page.page.empty) {
    ++page.piece;
    return render_end();
  }
  if (page.piece++ == 0) {
    auto& view = page.view.emplace(page.opened.view());
    auto counted = set_period(view, reader);
    view.fill(page.page);
    page.page.siblings = page.opened.siblings;
    const auto empty = find_empty(page, reader);
    if (!empty) counted = fail(empty.error());
    if (empty && *empty && view.problem().empty()) {
      page.page.empty = *empty;
      page.page.is_live = true;
      page.page.current_visitors = 0;
      return render_overview(page.page);
    }
    page.page.problem = view.problem();
    if (!page.page.problem.empty()) {
      (void)count_current(view, *reader.stats, page.page);  // the page has a problem already
    } else if (counted) {
      counted = count_overview(view, *reader.stats, page.page);
    }
    if (!counted) page.page.problem = counted.error().message;
    return render_overview(page.page);
  }
  if (page.page.problem.empty()) {
    auto counted = count_panels(*page.view, *reader.stats, page.page);
    if (counted) counted = add_funnels(*page.view, *reader.registry, *reader.stats, page.page);
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
  auto opened = open_page(services, call, respond);
  if (!opened) return;
  auto page = std::make_shared<PendingPage>(
      PendingPage{std::move(*opened), services.settings.snapshot()->base_url});
  api::read_page(
      services, page->opened.site.id,
      [&services, page, packs = api::accepts_gzip(call.request.head.joined("Accept-Encoding"))](
          store::Reader&) -> Result<http::Response> {
        auto response = api::streamed("text/html; charset=utf-8", pieces_of(services, page), packs);
        protect(response, frames_of(services, page->opened.link));
        return response;
      },
      std::move(respond));
}

void get_current(const api::Services& services, const api::Call& call, http::Responder respond) {
  auto opened = open_page(services, call, respond);
  if (!opened) return;
  const auto site = opened->site.id;
  api::read_page(
      services, site,
      [opened = std::move(*opened)](store::Reader& reader) -> Result<http::Response> {
        const auto query = opened.view().current_query();
        const auto answered = query ? answer(*query, *reader.stats) : fail(query.error());
        if (!answered) return fail(answered.error());
        http::Response response(200, "application/json",
                                to_json(answered->rows.front().metrics.front()).dump());
        protect(response);
        return response;
      },
      std::move(respond));
}

void get_background(const api::Services&, const api::Call& call, http::Responder respond) {
  const auto background = read_background(query_value(call.request.head.query, "color"));
  if (background.empty()) return respond(not_found());
  http::Response response(200, "text/css; charset=utf-8",
                          "html,body{background:" + background + "}");
  response.set("X-Content-Type-Options", "nosniff").set("Cache-Control", "public, max-age=86400");
  respond(std::move(response));
}

void get_csv(const api::Services& services, const api::Call& call, http::Responder respond) {
  auto opened = open_page(services, call, respond);
  if (!opened) return;
  const auto site = opened->site.id;
  api::read_page(
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
