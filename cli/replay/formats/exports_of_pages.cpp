// Reads exports of services that count pages: GoatCounter, Umami and Plausible. Each function links
// to a description of its columns.
#include <algorithm>

#include <nlohmann/json.hpp>

#include "cli/replay/formats/event_rules.h"
#include "cli/replay/formats/export_draft.h"
#include "cli/replay/formats/export_format.h"
#include "common/json/json.h"
#include "common/run/secret.h"
#include "common/text/site_name.h"
#include "common/text/text.h"
#include "common/text/url.h"

namespace analytics::cli {
namespace {

struct KnownName {
  std::string_view from;
  std::string_view to;
};

template <std::size_t N>
std::string_view find_in(const KnownName (&table)[N], std::string_view name) {
  const auto* found = std::find_if(std::begin(table), std::end(table),
                                   [&](const KnownName& row) { return row.from == name; });
  return found == std::end(table) ? std::string_view() : found->to;
}

/// Returns true if `site` is in a list such as "a.example,b.example".
bool is_one_of(std::string_view sites, std::string_view site) {
  const auto names = split(sites, ',');
  return std::any_of(names.begin(), names.end(), [&](std::string_view name) {
    return normalise_domain(name).value_or("") == site;
  });
}

bool is_true(std::string_view text) { return text == "1" || iequals(text, "true"); }

// Referrers that GoatCounter stores only by name (scheme "g"), and a URL for each.
constexpr KnownName kReferrerGroups[] = {{"Google", "https://www.google.com/"},
                                         {"Yandex", "https://yandex.ru/"},
                                         {"Yahoo", "https://search.yahoo.com/"},
                                         {"Baidu", "https://www.baidu.com/"},
                                         {"Hacker News", "https://news.ycombinator.com/"},
                                         {"Telegram Messenger", "https://t.me/"}};

void set_goatcounter_referrer(ExportDraft& draft, const std::string& text,
                              const std::string& scheme) {
  if (text.empty()) return;
  const bool is_host = text.find('.') != std::string::npos && text.find(' ') == std::string::npos;
  if (scheme == "c") return draft.add_parameter("utm_source", text);
  if (scheme == "o") {
    if (is_host) draft.set_referrer("android-app://" + text);
    return;
  }
  if (const auto url = find_in(kReferrerGroups, text); !url.empty()) return draft.set_referrer(url);
  is_host ? draft.set_referrer(text) : draft.add_parameter("utm_source", text);
}

// Umami's name of each browser, from https://github.com/DamonOehlman/detect-browser, and the
// server's name. Umami stores no versions.
constexpr KnownName kUmamiBrowsers[] = {{"chrome", "Chrome"},
                                        {"crios", "Chrome"},
                                        {"chromium-webview", "Mobile App"},
                                        {"edge", "Edge"},
                                        {"edge-chromium", "Edge"},
                                        {"edge-ios", "Edge"},
                                        {"firefox", "Firefox"},
                                        {"fxios", "Firefox"},
                                        {"safari", "Safari"},
                                        {"ios", "Safari"},
                                        {"ios-webview", "Mobile App"},
                                        {"facebook", "Mobile App"},
                                        {"instagram", "Mobile App"},
                                        {"kakaotalk", "Mobile App"},
                                        {"samsung", "Samsung Internet"},
                                        {"opera", "Opera"},
                                        {"opera-mini", "Opera"},
                                        {"ie", "IE"},
                                        {"android", "Android"},
                                        {"yandexbrowser", "Yandex Browser"},
                                        {"silk", "Amazon Silk"},
                                        {"miui", "MiuiBrowser"}};
constexpr std::string_view kUmamiBots[] = {"searchbot", "curl", "phantomjs"};

constexpr KnownName kUmamiSystems[] = {{"Android OS", "Android"}, {"Amazon OS", "Android"}};

/// Returns the site for an Umami website: the first host name in the domain that its owner entered.
std::string site_of_website(const std::string& domain) {
  const auto first = std::string_view(domain).substr(0, domain.find_first_of(", "));
  const auto url = split_url(first);
  const auto host = host_of(url ? url->host : first.substr(0, first.find_first_of("/:")));
  return normalise_domain(host).value_or("");
}

ReadLine read_umami_event(const ExportRow& row, const ReaderOptions& options) {
  const auto type = row.text("event_type");
  if (type != "1" && type != "2") return Filtered{};  // not a pageview or custom event
  const auto host = row.text("hostname");
  auto website = site_of_website(row.text("website_domain"));
  if (website.empty()) website = site_of_website(host);
  const bool is_of_many = !row.text("other_websites").empty();
  const bool has_choice = is_of_many && options.site_override.empty() && !options.site.empty();
  if (has_choice && !is_one_of(options.site, website)) return Filtered{};
  const auto browser = row.text("browser");
  const bool is_bot =
      std::find(std::begin(kUmamiBots), std::end(kUmamiBots), browser) != std::end(kUmamiBots);
  if (is_bot && !options.keep_bots) return Filtered{};
  ExportDraft draft(row, options);
  const auto name = row.text("event_name");
  draft.payload.name = name.empty() ? std::string(kPageview) : name;
  draft.set_page(host.empty() ? website : host, row.text("url_path"), row.text("url_query"));
  draft.set_site(website, has_choice);
  draft.set_time(row.text("created_at"));
  const auto domain = row.text("referrer_domain");
  const auto referrer = row.text("referrer_path");
  if (!domain.empty()) {
    const auto query = row.text("referrer_query");
    draft.set_referrer(domain + referrer + (query.empty() ? "" : "?" + query));
  } else if (split_url(referrer)) {
    draft.set_referrer(referrer);
  }
  // Umami derives session_id from distinct_id if there is one.
  draft.set_visitor(row.text("session_id"));
  draft.add_person(row.text("distinct_id"));
  draft.set_visit(row.text("visit_id"));
  draft.set_place(row.text("country"), first_of(row, {"region", "subdivision1"}), row.text("city"));
  const auto known = find_in(kUmamiBrowsers, browser);
  draft.set_browser(known.empty() ? browser : known, {});
  const auto [system, version] = name_and_version_of(row.text("os"));
  const auto renamed = find_in(kUmamiSystems, system);
  draft.set_os(renamed.empty() ? system : renamed, version);
  draft.set_device(row.text("device"));
  const auto screen = row.text("screen");
  draft.set_screen_width(std::string_view(screen).substr(0, screen.find('x')));
  draft.set_language(row.text("language"));
  draft.set_revenue(row.text("revenue"), row.text("currency"));
  draft.add_props({{"tag", row.text("tag")}});
  draft.add_props(row.members("event_data"));
  return std::move(draft).finish();
}

}  // namespace

/// Reads a row of GoatCounter's export, version 1 or 2: https://www.goatcounter.com/help/export.
ReadLine read_goatcounter(const ExportRow& row, const ReaderOptions& options) {
  const auto bot = row.text("Bot");
  if (!bot.empty() && bot != "0" && !options.keep_bots) return Filtered{};
  const bool is_second = row.has("2Path");
  const auto path = row.text(is_second ? "2Path" : "1Path");
  ExportDraft draft(row, options);
  const bool is_event = is_true(row.text("Event"));
  draft.payload.name = is_event ? path : std::string(kPageview);
  draft.set_page({}, is_event ? "/" : path);
  draft.set_time(row.text("Date"));
  set_goatcounter_referrer(draft, row.text("Referrer"), row.text("Referrer scheme"));
  auto session = row.text("Session");
  if (session.empty() || session == "0" || session == "0-0") {
    // Sessions were switched off for the site: each view is a separate visitor, as GoatCounter
    // counts it.
    session = path;
    for (const std::string_view column :
         {"Date", "Screen size", "Browser", "System", "Location", "Referrer", "UserAgent"}) {
      session += '\n' + row.text(column);
    }
  }
  draft.set_visitor(session);
  draft.set_visit(session);
  const auto location = row.text("Location");
  const auto dash = location.find('-');
  draft.set_place(location.substr(0, dash),
                  dash == std::string::npos ? std::string() : location.substr(dash + 1), {});
  // Version 1 stores the whole User-Agent as the browser.
  const auto agent = is_second ? row.text("UserAgent") : row.text("Browser");
  if (!agent.empty()) {
    draft.payload.user_agent = agent;
  } else {
    const auto browser = name_and_version_of(row.text("Browser"));
    const auto system = name_and_version_of(row.text("System"));
    draft.set_browser(browser.name, browser.version);
    draft.set_os(system.name, system.version);
  }
  const auto size = row.text("Screen size");
  draft.set_screen_width(std::string_view(size).substr(0, size.find_first_of(",x")));
  draft.add_props({{"title", is_event ? row.text("Title") : std::string()}});
  return std::move(draft).finish();
}

/// Reads an event of Umami (https://github.com/umami-software/umami, db/clickhouse/schema.sql and
/// prisma/schema.prisma), or a line that UmamiJoin has made from Umami's tables.
ReadLine read_umami(const ExportRow& row, const ReaderOptions& options) {
  if (options.side_rows == nullptr) return read_umami_event(row, options);
  auto side = json::parse_document(options.side_rows->find(
      row.text("session_id"), row.text("event_id"), row.text("website_id")));
  if (!side) return read_umami_event(row, options);
  return read_umami_event(JoinedRow(row, DocumentRow(*side)), options);
}

/// Reads a row of Plausible's table events_v2: https://github.com/plausible/analytics,
/// priv/ingest_repo.
ReadLine read_plausible(const ExportRow& row, const ReaderOptions& options) {
  ExportDraft draft(row, options);
  auto& payload = draft.payload;
  payload.name = row.text("name");
  std::string path;  // percent-encoded, because Plausible stores it decoded
  const auto decoded = row.text("pathname");
  for (const auto part : split(decoded, '/')) {
    path += (path.empty() && part.empty() ? "" : "/") + percent_encode(part);
  }
  draft.set_page(row.text("hostname"), path.empty() ? "/" : path);
  draft.set_time(row.text("timestamp"));
  for (const std::string_view tag :
       {"utm_source", "utm_medium", "utm_campaign", "utm_content", "utm_term"}) {
    const auto value = row.text(tag);
    // Plausible itself adds values such as "(gclid)".
    if (!value.starts_with('(')) draft.add_parameter(tag, value);
  }
  // Plausible stores the name of a click id's parameter, such as gclid, but not its value.
  if (const auto id = row.text("click_id_param"); !id.empty()) draft.add_parameter(id, "-");
  draft.set_referrer(row.text("referrer"));
  draft.set_visitor(row.text("user_id"));
  draft.set_visit(row.text("session_id"));
  draft.set_place(first_of(row, {"country_code", "country"}),
                  first_of(row, {"subdivision1_code", "region"}), {});
  draft.set_device(first_of(row, {"screen_size", "device", "screen"}));
  draft.set_browser(row.text("browser"), row.text("browser_version"));
  draft.set_os(first_of(row, {"operating_system", "os"}),
               first_of(row, {"operating_system_version", "os_version"}));
  draft.set_revenue(row.text("revenue_source_amount"), row.text("revenue_source_currency"));
  if (payload.name == kEngagement) {
    const auto millis = parse_double(row.text("engagement_time")).value_or(0);
    const auto depth = row.text("scroll_depth");  // 255 means unknown
    if (!draft.set_engagement(std::to_string(millis / 1e3), depth)) return Filtered{};
  }
  const auto keys = row.list("meta.key");
  const auto values = row.list("meta.value");
  std::vector<Property> props;
  for (std::size_t i = 0; i < std::min(keys.size(), values.size()); ++i) {
    props.push_back({keys[i], values[i]});
  }
  draft.add_props(props);
  return std::move(draft).finish();
}

}  // namespace analytics::cli
