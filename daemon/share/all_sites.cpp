#include <memory>

#include "common/text/grouped.h"
#include "common/text/text.h"
#include "common/text/url.h"
#include "daemon/call/representation.h"
#include "daemon/call/work.h"
#include "daemon/share/handlers.h"
#include "daemon/share/link_access.h"
#include "daemon/share/security_headers.h"
#include "daemon/share/sites_page.h"
#include "daemon/share/value_text.h"
#include "daemon/stats/site_summary.h"

namespace analytics::share {
namespace {

constexpr std::size_t kSitesOfPiece = 2;   // number of sites counted and sent at a time
constexpr std::chrono::hours kSilent{24};  // time without events until a site is highlighted

SitesRow row_of(const SiteSummary& summary, UnixSeconds now) {
  SitesRow row;
  row.current = summary.current;
  row.today = grouped(summary.today);
  row.week = grouped(summary.week);
  const auto change = week_change(summary);
  row.change = change_text(Metric::kVisitors, change);
  if (number_of(change) != 0) row.tone = number_of(change) > 0 ? "better" : "worse";
  row.days = summary.days;
  row.last_event = summary.last_event ? time_ago(now - *summary.last_event) : "never";
  row.is_silent = !summary.last_event || now - *summary.last_event >= kSilent;
  row.note = join(sentences(summary.caveats), " ");
  row.dropped = summary.dropped_today == 0 ? "" : grouped(summary.dropped_today);
  return row;
}

/// State of a response that sends the page of all sites, a few sites at a time.
struct PendingSites {
  WorkLane lane;
  std::vector<Site> sites;
  std::string query;  ///< Query string of links to sites: "?auth=TOKEN&embed=true".
  UnixSeconds now;
  Embedding embedding{};
  std::size_t next = 0;    ///< Index of the first site that is not counted yet.
  SiteSummary together{};  ///< Sum over the sites counted so far.
  std::size_t failed = 0;  ///< Number of sites whose visitors could not be counted.
  bool has_begun = false;
  bool has_ended = false;
};

SitesRow row_of_all(const PendingSites& page) {
  auto row = row_of(page.together, page.now);
  const auto counted = page.sites.size() - page.failed;
  row.domain = page.failed == 0 ? "Together" : "Together, " + std::to_string(counted) + " sites";
  return row;
}

std::string next_piece(PendingSites& page, store::Reader& reader) {
  std::string html;
  if (!page.has_begun) html = render_sites_begin(page.sites.size(), page.embedding);
  page.has_begun = true;
  const auto end = std::min(page.sites.size(), page.next + kSitesOfPiece);
  for (; page.next < end; ++page.next) {
    const auto& site = page.sites[page.next];
    const auto summary = summarise(site, page.now, *reader.registry, *reader.stats);
    auto row = summary ? row_of(*summary, page.now) : SitesRow();
    if (summary) {
      add(*summary, page.together);
    } else {
      row.problem = summary.error().message;
      ++page.failed;
    }
    row.domain = site.domain;
    row.href = "/share/" + percent_encode(site.domain) + page.query;
    html += render_sites_row(row);
  }
  page.has_ended = page.next == page.sites.size();
  if (!page.has_ended) return html;
  if (page.sites.size() > 1) html += render_sites_row(row_of_all(page));
  html += render_sites_end();
  return html;
}

http::BodyParts pieces_of(const api::ReadContext& context,
                          const std::shared_ptr<PendingSites>& page) {
  return [&context, page](http::TakePart take) {
    using Kind = http::BodyPart::Kind;
    if (page->has_ended) return take({Kind::kEnd, {}});
    api::make_stats_part(
        context, page->lane,
        [page](store::Reader& reader) {
          return http::BodyPart{Kind::kBytes, next_piece(*page, reader)};
        },
        std::move(take));
  };
}

}  // namespace

void get_all_sites(const api::ReadContext& context, const api::Call& call,
                   http::Responder respond) {
  const auto link = find_account_link(context, call);
  if (!link) return respond(not_found());
  const auto now = context.now_in_seconds();
  if (!is_unlocked(*link, call.request.head, now)) {
    return respond(ask_for_password(*link, call.request.head));
  }
  auto page = std::make_shared<PendingSites>();
  page->lane = lane_of(context, *link);
  for (const auto* site : call.snapshot->sites_of(*link->account)) page->sites.push_back(*site);
  page->now = now;
  page->embedding = read_embedding(parse_form(call.request.head.query).value_or(Parameters{}));
  page->query = "?auth=" + percent_encode(link->token);
  for (const auto& [name, value] : parameters_of(page->embedding)) {
    page->query += "&" + name + "=" + percent_encode(value);
  }
  api::read_page(
      context, page->lane,
      [&context, page, link = *link,
       packs = api::accepts_gzip(call.request.head.joined("Accept-Encoding"))](
          store::Reader&) -> Result<http::Response> {
        auto response = api::streamed("text/html; charset=utf-8", pieces_of(context, page), packs);
        protect(response, frames_of(context, link));
        return response;
      },
      std::move(respond));
}

void get_front(const api::CallContext&, const api::Call&, http::Responder respond) {
  http::Response response(200, "text/html; charset=utf-8", render_front());
  protect(response);
  respond(std::move(response));
}

}  // namespace analytics::share
