#include "cli/replay/formats/export_draft.h"

#include <algorithm>
#include <cmath>

#include "cli/replay/formats/country_code.h"
#include "cli/replay/formats/event_rules.h"
#include "cli/replay/formats/log_client.h"
#include "cli/replay/formats/log_head.h"
#include "cli/replay/formats/log_time.h"
#include "cli/replay/formats/personal_key.h"
#include "common/event/event_limits.h"
#include "common/run/secret.h"
#include "common/text/text.h"
#include "common/text/url.h"

namespace analytics::cli {
namespace {

constexpr double kMaxPixels = 100'000;

// Texts that services write for an unknown value, in lower case.
constexpr std::string_view kNothings[] = {"(not set)", "<other>", "(other)", "unknown"};

struct DeviceName {
  std::string_view from;
  std::string_view to;
};
constexpr DeviceName kDevices[] = {
    {"desktop", "Desktop"},     {"laptop", "Desktop"},       {"tablet", "Tablet"},
    {"mobile", "Mobile"},       {"smartphone", "Mobile"},    {"phone", "Mobile"},
    {"phablet", "Mobile"},      {"feature phone", "Mobile"}, {"computer", "Desktop"},
    {"smart tv", "Desktop"},    {"tv", "Desktop"},           {"console", "Desktop"},
    {"game console", "Desktop"}};

std::string token_of(std::string_view id) {
  const auto digest = digest_of({id});
  return to_hex(digest);
}

void put(std::optional<std::string>& field, std::string_view text) {
  text = trim(text);
  const auto lower = ascii_lower(text);
  const bool says_nothing =
      std::find(std::begin(kNothings), std::end(kNothings), lower) != std::end(kNothings);
  if (!text.empty() && !says_nothing) field = std::string(text);
}

/// Percent-encodes control characters, which a URL contains if a service decoded it before storing.
std::string without_controls(const std::string& url) {
  std::string plain;
  for (const char& c : url) plain += is_control(c) ? percent_encode({&c, 1}) : std::string(1, c);
  return plain;
}

/// Removes parameters from the end of a URL's query if the URL is too long for an event.
void cut_query(std::string& url) {
  if (url.size() <= event_limits::kMaxUrlBytes) return;
  if (url.find('?') <= event_limits::kMaxUrlBytes) {
    url.resize(url.find_last_of("?&#", event_limits::kMaxUrlBytes));
  }
}

}  // namespace

void ExportDraft::set_time(std::string_view text) {
  payload.timestamp = parse_log_time(text, options_.times);
}

void ExportDraft::set_page(std::string_view host, std::string_view path, std::string_view query) {
  host_ = std::string(host);
  has_page_ = !host.empty() || !path.empty();
  const auto first = path.substr(0, path.find('/'));
  const bool begins_with_host =
      looks_like_host(first) && (first.starts_with("www.") || first == host_of(site_of(options_)));
  std::string url(begins_with_host ? "https://" : "");
  if (begins_with_host || path.substr(0, path.find_first_of("/?#")).ends_with(':')) {
    url += path;
    host_ = std::string(split_page_url(url).value_or(UrlParts{}).host);
  } else {
    const bool has_host = options_.base.empty() && !host.empty();
    url = has_host ? "https://" + host_of(host) : base_of(options_);
    url += (path.starts_with('/') ? "" : "/") + std::string(path);
  }
  if (query.starts_with('?')) query.remove_prefix(1);
  const auto hash = std::min(url.find('#'), url.size());
  if (!query.empty() && url.find('?') == std::string::npos) {
    url.insert(hash, "?" + std::string(query));
  }
  payload.url = without_controls(url);
}

void ExportDraft::add_parameter(std::string_view name, std::string_view value) {
  if (value.empty()) return;
  auto& url = payload.url;
  const auto hash = std::min(url.find('#'), url.size());
  const auto mark = url.find('?');
  const bool has_query = mark < hash;
  const auto query =
      has_query ? std::string_view(url).substr(mark + 1, hash - mark - 1) : std::string_view();
  if (!query_value(query, name).empty()) return;
  url.insert(hash, (has_query ? "&" : "?") + std::string(name) + "=" + percent_encode(value));
}

void ExportDraft::set_referrer(std::string_view text) {
  text = trim(text);
  if (text.empty() || text == "$direct") return;
  const bool has_scheme = split_url(text).has_value();
  payload.referrer = (has_scheme ? "" : "https://") + std::string(text);
}

void ExportDraft::set_visitor(std::string_view id) {
  if (id.empty()) return;
  payload.visitor = token_of(id);
  add_person(id);
}

void ExportDraft::set_visit(std::string_view id) {
  if (!id.empty()) payload.visit = token_of(id);
}

void ExportDraft::set_place(std::string_view country, std::string_view region,
                            std::string_view city) {
  const auto code = country_code(trim(country)).value_or("");
  if (!event_limits::is_country(code) || code == "XX") return;  // XX means unknown
  payload.derived.country = code;
  region = trim(region);
  if (!region.empty()) {
    const bool is_whole = region.starts_with(code + "-");
    payload.derived.region = (is_whole ? "" : code + "-") + std::string(region);
  }
  put(payload.derived.city, city);
}

void ExportDraft::set_device(std::string_view name) {
  if (const auto device = device_name(name); !device.empty()) {
    payload.derived.device = std::string(device);
  }
}

void ExportDraft::set_screen_width(std::string_view text) {
  const auto width = parse_double(text);
  if (width && *width > 0 && *width < kMaxPixels) {
    payload.screen_width = static_cast<int>(*width);
  }
}

void ExportDraft::set_browser(std::string_view name, std::string_view version) {
  put(payload.derived.browser, name);
  put(payload.derived.browser_version, version);
}

void ExportDraft::set_os(std::string_view name, std::string_view version) {
  put(payload.derived.os, name);
  put(payload.derived.os_version, version);
}

void ExportDraft::set_language(std::string_view code) {
  const auto base = code.substr(0, code.find_first_of("-_"));
  const bool is_code =
      (base.size() == 2 || base.size() == 3) && std::all_of(base.begin(), base.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
      });
  if (is_code) payload.derived.language = std::string(code);
}

void ExportDraft::set_address(std::string_view text) {
  if (const auto address = client_of_list(text); !address.empty()) {
    payload.ip = std::string(address);
  }
}

void ExportDraft::set_revenue(const std::string& amount, std::string currency) {
  currency = ascii_upper(currency);
  const auto micros = parse_micros(amount);
  if (micros && is_currency(currency)) payload.revenue = Revenue{*micros, std::move(currency)};
}

bool ExportDraft::set_engagement(std::string_view seconds, std::string_view percent) {
  auto& found = payload.engagement;
  const auto time = parse_double(seconds);
  const auto depth = parse_double(percent);
  if (time && *time > 0 && *time * 1e3 <= Engagement::kMaxMillis) {
    found.millis = static_cast<std::int32_t>(std::lround(*time * 1e3));
  }
  if (depth && *depth >= 0 && *depth <= Engagement::kMaxDepth) {
    found.scroll_depth = static_cast<std::int32_t>(std::lround(*depth));
  }
  payload.name = kEngagement;
  payload.interactive = false;
  return !found.is_empty();
}

void ExportDraft::add_props(const std::vector<Property>& props) {
  for (const auto& [key, value] : props) {
    if (key.empty() || value.empty() || key.size() > event_limits::kMaxPropKeyBytes) continue;
    const bool is_id = std::find(people_.begin(), people_.end(), value) != people_.end();
    if (is_id || is_personal_key(key)) {
      ++withheld_;
    } else if (payload.props.size() < event_limits::kMaxProps) {
      payload.props.push_back(
          {key, std::string(cut_utf8(value, event_limits::kMaxPropValueBytes))});
    }
  }
}

ReadLine ExportDraft::finish() && {
  const auto& first = is_one_of_many_ ? site_ : site_of(options_);
  for (const auto& site : {first, site_, host_}) {
    if (payload.domains.empty() && !site.empty()) payload.domains = {site};
  }
  if (payload.domains.empty()) return no_site_error();
  if (!payload.timestamp) {
    return Error{ErrorCode::kInvalidTimestamp, "The time is missing or not valid.", {}};
  }
  if (!has_page_ && payload.name == kPageview) {
    return Error{ErrorCode::kInvalidEvent, "The pageview has neither a URL nor a path.", {}};
  }
  cut_query(payload.url);
  if (!payload.visitor && !payload.ip) {
    // The service stored no visitor. The event gets its own visitor, because the server would
    // otherwise use the importer's address.
    set_visitor(payload.id.value_or("") + '\n' + payload.name + '\n' + payload.url + '\n' +
                std::to_string(payload.timestamp->time_since_epoch().count()) + '\n' +
                payload.user_agent.value_or("") + '\n' + payload.derived.browser.value_or("") +
                '\n' + payload.derived.country.value_or(""));
  }
  for (const auto& [field, column] : options_.map) {
    if (!std::string_view(field).starts_with(kPropPrefix)) continue;
    if (auto text = row_.text(column);
        !text.empty() && payload.props.size() < event_limits::kMaxProps) {
      payload.props.push_back({field.substr(kPropPrefix.size()),
                               std::string(cut_utf8(text, event_limits::kMaxPropValueBytes))});
    }
  }
  auto made = checked_event(std::move(payload), options_);
  if (auto* event = std::get_if<ReplayEvent>(&made)) event->payload.withheld += withheld_;
  return made;
}

std::string_view device_name(std::string_view text) {
  const auto lower = ascii_lower(trim(text));
  const auto* found = std::find_if(std::begin(kDevices), std::end(kDevices),
                                   [&](const DeviceName& row) { return row.from == lower; });
  return found == std::end(kDevices) ? std::string_view() : found->to;
}

std::string first_of(const ExportRow& row, std::initializer_list<std::string_view> names) {
  for (const auto name : names) {
    if (auto text = row.text(name); !text.empty()) return text;
  }
  return {};
}

NameAndVersion name_and_version_of(std::string_view text) {
  text = trim(text);
  const auto space = text.rfind(' ');
  const bool has_version = space != std::string_view::npos && space + 1 < text.size() &&
                           text[space + 1] >= '0' && text[space + 1] <= '9';
  if (!has_version) return {std::string(text), {}};
  return {std::string(trim(text.substr(0, space))), std::string(text.substr(space + 1))};
}

}  // namespace analytics::cli
