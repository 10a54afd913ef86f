#include <map>

#include <nlohmann/json.hpp>

#include "common/text/grouped.h"
#include "common/text/local_time.h"
#include "common/text/text.h"
#include "common/wire/event_outcome.h"
#include "daemon/call/errors.h"
#include "daemon/call/representation.h"
#include "daemon/call/work.h"
#include "daemon/share/funnel_panel.h"
#include "daemon/share/handlers.h"
#include "daemon/share/link_access.h"
#include "daemon/share/panels.h"
#include "daemon/share/security_headers.h"
#include "daemon/stats/answer.h"
#include "daemon/stats/first_day.h"
#include "daemon/stats/value_json.h"

namespace analytics::share {
namespace {

/// A request for a site's page with a valid link. If the link has a password, it was entered.
struct Opened {
  UsedLink link;
  Parameters parameters;
  Site site;
  std::vector<Goal> goals;
  UnixSeconds now;
  /// Links to all pages that an account's link opens; empty if the link is a site's.
  std::vector<Link> siblings{};

  /// Parses the URL's parameters. Call it on a worker thread, because regular expressions in
  /// filters take time.
  [[nodiscard]] View view() const { return {link.path, parameters, link.terms, site, goals, now}; }
};

/// Finds the link and the site of a request. If there is no such link, or the client must enter the
/// link's password first, answers the request and returns nullopt.
std::optional<Opened> open_page(const api::ReadContext& context, const api::Call& call,
                                const http::Responder& respond) {
  const auto now = context.now_in_seconds();
  auto link = find_link(context, call);
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
  parameters.insert(parameters.begin(), {"auth", link->token});  // only the checked token stays
  Opened opened{std::move(*link), std::move(parameters), site, call.snapshot->goals(site.id), now};
  if (!opened.link.account) return opened;
  const auto query = "?auth=" + percent_encode(opened.link.token);
  opened.siblings.push_back({"All sites", "/share/@all" + query, false});
  for (const auto* each : call.snapshot->sites_of(site.account)) {
    opened.siblings.push_back({each->domain, page_path(*each) + query, each->id == site.id});
  }
  return opened;
}

/// Returns a file name such as "example.com-pages-2026-11-01-2026-11-21.csv", with only characters
/// that every file system accepts.
std::string csv_name(const View& view, std::string_view panel) {
  std::string name;
  for (const char c : view.site().domain) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '-';
    name += is_plain ? c : '_';
  }
  return name + "-" + std::string(panel.empty() ? "chart" : panel) + "-" +
         format_day(view.period().first) + "-" + format_day(view.period().last) + ".csv";
}

/// State of a response that sends a site's page in two pieces. The first piece has the numbers that
/// are counted quickly.
struct PendingPage {
  Opened opened;
  std::string base_url;
  std::optional<View> view{};  ///< State from the page's URL; set when the first piece is made.
  Page page{};
  int piece = 0;  ///< Number of pieces made so far.
};

/// Returns the time from which the site has data that the link may show; nullopt without such data.
/// For a link with filters, ignores data before the period, unless the period is "all time".
Result<std::optional<UnixSeconds>> begin_of(const View& view, store::Reader& reader) {
  const auto site = TRY(view.asks_for_begin() ? reader.registry->site_of_now(view.site().id)
                                              : reader.registry->site(view.site().id));
  const auto known = known_from(site);
  if (!known || !view.is_limited()) return known;
  const auto& zone = site.timezone;
  auto from = local_day(*known, zone);
  if (!view.is_all_time()) from = std::max(from, view.period().first);
  const auto first = TRY(first_day(view.days_query(), {from, view.today()}, *reader.stats));
  return first ? std::optional(start_of_day(*first, zone)) : std::nullopt;
}

Result<std::string> count_csv(View& view, std::string_view panel, store::Reader& reader) {
  if (!view.problem().empty()) return fail(ErrorCode::kInvalidParameter, view.problem());
  if (view.asks_for_begin()) {
    const auto begin = TRY(begin_of(view, reader));
    view.begin_at(begin);
  }
  if (panel == kFunnels) return funnel_csv(view, *reader.registry, *reader.stats);
  return panel_csv(view, panel, *reader.stats);
}

/// Returns the content of the page of a site that has never had an event.
Result<Page::Empty> empty_page(const PendingPage& page, store::Reader& reader) {
  constexpr std::chrono::days kOfDrops{7};
  const auto& domain = page.opened.site.domain;
  Page::Empty empty{"<script defer data-domain=\"" + domain + "\" src=\"" + page.base_url +
                        "/js/script.js\"></script>",
                    {}};
  const auto drops =
      TRY(reader.registry->list_drops(page.opened.site.id, page.opened.now - kOfDrops));
  std::map<EventOutcome, std::int64_t> counts;
  for (const auto& drop : drops) counts[drop.outcome] += drop.count;
  for (const auto& [outcome, count] : counts) {
    empty.drops.emplace_back(grouped(count), outcome_meaning(outcome));
  }
  return empty;
}

/// Counts the numbers that the first piece of the page shows, and sets them in `page`.
Status count_first_piece(PendingPage& page, View& view, store::Reader& reader) {
  page.page.siblings = page.opened.siblings;
  if (!view.problem().empty()) {
    view.fill(page.page);
    page.page.problem = view.problem();
    // An error of this count is ignored, because the page already shows a problem.
    (void)count_current(view, *reader.stats, page.page);
    return {};
  }
  Result<std::optional<UnixSeconds>> begin;
  if (view.asks_for_begin() || !view.is_limited()) begin = begin_of(view, reader);
  if (begin && view.asks_for_begin()) view.begin_at(*begin);
  view.fill(page.page);
  if (!begin) return fail(begin.error());
  // A link with filters must not reveal whether the site has events that the filters hide.
  if (*begin || view.is_limited()) return count_overview(view, *reader.stats, page.page);
  page.page.empty = TRY(empty_page(page, reader));
  page.page.is_live = true;
  page.page.current_visitors = 0;
  return {};
}

std::string next_piece(PendingPage& page, store::Reader& reader) {
  if (page.page.empty) {
    ++page.piece;
    return render_end();
  }
  if (page.piece++ == 0) {
    auto& view = page.view.emplace(page.opened.view());
    const auto counted = count_first_piece(page, view, reader);
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

http::BodyParts pieces_of(const api::ReadContext& context,
                          const std::shared_ptr<PendingPage>& page) {
  return [&context, page](http::TakePart take) {
    using Kind = http::BodyPart::Kind;
    if (page->piece > 1) return take({Kind::kEnd, {}});
    api::make_stats_part(
        context, lane_of(context, page->opened.link),
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

void get_page(const api::ReadContext& context, const api::Call& call, http::Responder respond) {
  auto opened = open_page(context, call, respond);
  if (!opened) return;
  auto page = std::make_shared<PendingPage>(
      PendingPage{std::move(*opened), context.settings.snapshot()->base_url});
  api::read_page(
      context, lane_of(context, page->opened.link),
      [&context, page, packs = api::accepts_gzip(call.request.head.joined("Accept-Encoding"))](
          store::Reader&) -> Result<http::Response> {
        auto response = api::streamed("text/html; charset=utf-8", pieces_of(context, page), packs);
        protect(response, frames_of(context, page->opened.link));
        return response;
      },
      std::move(respond));
}

void get_current(const api::ReadContext& context, const api::Call& call, http::Responder respond) {
  auto opened = open_page(context, call, respond);
  if (!opened) return;
  const auto lane = lane_of(context, opened->link);
  api::read_page(
      context, lane,
      [opened = std::move(*opened)](store::Reader& reader) -> Result<http::Response> {
        const auto query = TRY(opened.view().current_query());
        const auto answered = TRY(answer(query, *reader.stats));
        http::Response response(200, "application/json",
                                to_json(answered.rows.front().metrics.front()).dump());
        protect(response);
        return response;
      },
      std::move(respond));
}

void get_background(const api::CallContext&, const api::Call& call, http::Responder respond) {
  const auto background = read_background(query_value(call.request.head.query, "color"));
  if (background.empty()) return respond(not_found());
  http::Response response(200, "text/css; charset=utf-8",
                          "html,body{background:" + background + "}");
  response.set("X-Content-Type-Options", "nosniff").set("Cache-Control", "public, max-age=86400");
  respond(std::move(response));
}

void get_csv(const api::ReadContext& context, const api::Call& call, http::Responder respond) {
  auto opened = open_page(context, call, respond);
  if (!opened) return;
  const auto lane = lane_of(context, opened->link);
  api::read_page(
      context, lane,
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
