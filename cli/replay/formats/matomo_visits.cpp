// Reads the export of Matomo's visits log: visits of its Live API with their actions.
#include <algorithm>
#include <cstdlib>

#include <nlohmann/json.hpp>

#include "cli/replay/formats/export_draft.h"
#include "cli/replay/formats/export_format.h"
#include "common/event/event_limits.h"
#include "common/json/json.h"
#include "common/text/text.h"

namespace analytics::cli {
namespace {

constexpr std::int64_t kZoneStep = 900;  // seconds; every zone's offset is a multiple of it
constexpr std::int64_t kMaxZone = 50'400;
// Seconds by which a visit's last time may differ from its last action, because it may be the time
// at which the visitor stopped reading the page.
constexpr std::int64_t kTolerance = 120;
constexpr std::int64_t kLastSecond = 4'102'444'800;
constexpr std::size_t kMaxActions = 10'000;

/// Members of a visit that an event needs; a visit has about a hundred more.
constexpr const char* kMembers[] = {"idSite",
                                    "idVisit",
                                    "visitorId",
                                    "fingerprint",
                                    "countryCode",
                                    "country",
                                    "regionCode",
                                    "city",
                                    "browserName",
                                    "browserVersion",
                                    "deviceType",
                                    "resolution",
                                    "operatingSystemName",
                                    "languageCode",
                                    "siteCurrency",
                                    "siteName",
                                    "operatingSystemVersion",
                                    "referrerUrl",
                                    "referrerType",
                                    "referrerName",
                                    "deviceTypeIcon",
                                    "campaignSource",
                                    "campaignMedium",
                                    "campaignContent",
                                    "referrerKeyword"};
/// Members that describe how the visit began. They are copied only into its first event.
constexpr const char* kArrival[] = {"referrerUrl",     "referrerType",   "referrerName",
                                    "referrerKeyword", "campaignSource", "campaignMedium",
                                    "campaignContent"};

/// Type of the action that with_readings() adds after a page, with the time for which it was read.
constexpr char kReading[] = "analytics_reading";

std::optional<std::int64_t> seconds_of(const nlohmann::json& object, const char* name) {
  const auto found = object.find(name);
  if (found == object.end()) return std::nullopt;
  std::optional<std::int64_t> seconds;
  if (found->is_number_integer()) seconds = found->get<std::int64_t>();
  if (found->is_string()) seconds = parse_int(found->get_ref<const std::string&>());
  return seconds && *seconds >= 0 && *seconds <= kLastSecond ? seconds : std::nullopt;
}

/// Returns the site's offset from UTC in seconds. Matomo exports the times of actions as local
/// times written as if they were UTC, but the times of the visit in UTC. Returns 0 if the visit or
/// its actions have no times; nullopt if the times contradict each other.
std::optional<std::int64_t> zone_of(const nlohmann::json& visit, const nlohmann::json& actions) {
  std::optional<std::int64_t> earliest;
  std::optional<std::int64_t> latest;
  for (const auto& action : actions) {
    const auto time = action.is_object() ? seconds_of(action, "timestamp") : std::nullopt;
    if (!time) continue;
    earliest = std::min(earliest.value_or(*time), *time);
    latest = std::max(latest.value_or(*time), *time);
  }
  const auto first = seconds_of(visit, "firstActionTimestamp");
  const auto last = seconds_of(visit, "lastActionTimestamp");
  if (!earliest || (!first && !last)) return 0;
  for (const auto tolerance : {std::int64_t{0}, kTolerance}) {
    for (const auto& [shown, right] : {std::pair{earliest, first}, std::pair{latest, last}}) {
      if (!right) continue;
      const auto ahead = *shown - *right;
      const auto steps = (ahead + (ahead < 0 ? -kZoneStep : kZoneStep) / 2) / kZoneStep;
      const auto zone = steps * kZoneStep;
      if (std::abs(ahead - zone) <= tolerance && std::abs(zone) <= kMaxZone) return zone;
    }
  }
  return std::nullopt;
}

std::string text_in(const nlohmann::json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

/// Returns true for scalars of at most 4 KiB. Longer members of a visit are left out, because they
/// would be copied for each of its actions.
bool is_short(const nlohmann::json& value) {
  constexpr std::size_t kMaxBytes = 4'096;
  if (value.is_string()) return value.get_ref<const std::string&>().size() <= kMaxBytes;
  return !value.is_structured();
}

/// Returns the actions, and an action of type kReading after each page whose reading time is
/// known.
std::vector<nlohmann::json> with_readings(const nlohmann::json& actions) {
  std::vector<nlohmann::json> all;
  for (const auto& action : actions) {
    all.push_back(action.is_object() ? action : nlohmann::json::object());
    const auto read = seconds_of(all.back(), "timeSpent").value_or(0);
    const auto time = seconds_of(all.back(), "timestamp");
    if (text_in(all.back(), "type") != "action" || read == 0 || !time) continue;
    all.push_back({{"type", kReading},
                   {"url", text_in(all.back(), "url")},
                   {"timeSpent", read},
                   {"timestamp", *time + read}});
  }
  return all;
}

bool is_event(std::string_view type) {
  constexpr std::string_view kEvents[] = {"action", "event", "download",      "outlink",
                                          "search", "goal",  "ecommerceOrder"};
  return std::find(std::begin(kEvents), std::end(kEvents), type) != std::end(kEvents);
}

/// Sets the device by the name of its icon, "…/devices/feature_phone.png", because the device's own
/// name may be in any language; uses that name only if the icon is unknown.
void set_matomo_device(const ExportRow& row, ExportDraft& draft) {
  auto name = row.text("deviceTypeIcon");
  name = name.substr(name.rfind('/') + 1);
  name = name.substr(0, name.find('.'));
  std::replace(name.begin(), name.end(), '_', ' ');
  draft.set_device(row.text("deviceType"));
  draft.set_device(name);
}

/// Sets the referrer and the campaign by which the visit began. Matomo may be configured to store
/// only the name of a referrer.
void set_matomo_arrival(const ExportRow& row, ExportDraft& draft) {
  const auto url = row.text("referrerUrl");
  const auto type = row.text("referrerType");
  const auto name = row.text("referrerName");
  draft.set_referrer(url);
  if (type == "campaign") {
    draft.add_parameter("utm_campaign", name);
    draft.add_parameter("utm_term", row.text("referrerKeyword"));
    draft.add_parameter("utm_source", row.text("campaignSource"));
    draft.add_parameter("utm_medium", row.text("campaignMedium"));
    draft.add_parameter("utm_content", row.text("campaignContent"));
  } else if (url.empty() && type == "website") {
    draft.set_referrer(name);
  } else if (url.empty() && !name.empty() && type != "direct") {
    draft.add_parameter("utm_source", name);
    draft.add_parameter("utm_medium", type == "search" ? "organic" : type);
  }
}

/// Sets the event's name and properties by the action. Returns false for actions that are not
/// imported, such as an impression of content or an abandoned cart.
bool set_action(const ExportRow& row, ExportDraft& draft) {
  const auto type = row.text("action.type");
  const auto text = [&](const char* name) { return row.text("action." + std::string(name)); };
  auto& name = draft.payload.name;
  if (type == "action") {
    name = kPageview;
  } else if (type == kReading) {
    return draft.set_engagement(text("timeSpent"), {});
  } else if (type == "event") {
    name = text("eventAction");
    draft.add_props({{"category", text("eventCategory")},
                     {"name", text("eventName")},
                     {"value", text("eventValue")}});
  } else if (type == "download") {
    name = "File Download";
    draft.add_props({{"url", text("url")}});
  } else if (type == "outlink") {
    name = "Outbound Link: Click";
    draft.add_props({{"url", text("url")}});
  } else if (type == "search") {
    name = "Site Search";
    draft.add_props(
        {{"query", text("siteSearchKeyword")}, {"category", text("siteSearchCategory")}});
  } else if (type == "goal") {
    name = text("goalName");
    if (name.empty()) return false;     // the goal was deleted in Matomo
    draft.payload.interactive = false;  // another action of the visit met the goal
    draft.set_revenue(text("revenue"), row.text("siteCurrency"));
  } else if (type == "ecommerceOrder") {
    name = "Purchase";
    draft.set_revenue(text("revenue"), row.text("siteCurrency"));
  } else {
    return false;
  }
  return true;
}

}  // namespace

void divide_matomo(const nlohmann::json& visit, const LineReader::TakePart& take) {
  const auto found = visit.find("actionDetails");
  if (found == visit.end() || !found->is_array() || found->size() > kMaxActions) return;
  const auto ahead = zone_of(visit, *found);
  if (!ahead) return;
  const auto actions = with_readings(*found);
  nlohmann::json part;
  for (const auto* name : kMembers) {
    const auto member = visit.find(name);
    if (member != visit.end() && is_short(*member)) part[name] = *member;
  }
  std::string page;
  for (const auto& action : actions) {
    part["action"] = action;
    const auto type = text_in(action, "type");
    if (const auto time = seconds_of(action, "timestamp")) {
      part["action"]["timestamp"] = *time - *ahead;
    }
    if (type == "action") page = text_in(action, "url");
    // A pageview with such a long URL is rejected. The other events of the page then have no URL
    // and are rejected, too.
    if (page.size() > event_limits::kMaxUrlBytes) page.clear();
    part["page"] = page;
    if (!take(part.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace),
              actions.size())) {
      return;
    }
    if (!is_event(type)) continue;
    for (const auto* name : kArrival) part.erase(name);
  }
}

/// Reads one part of a visit (https://developer.matomo.org/api-reference/reporting-api#Live) made
/// by divide_matomo(): the visit with one "action", and the last viewed page as "page".
ReadLine read_matomo(const ExportRow& row, const ReaderOptions& options) {
  if (row.has("actionDetails")) {  // divide_matomo() could not divide the visit
    if (row.list("actionDetails").empty()) return Filtered{};
    return Error{ErrorCode::kInvalidTimestamp,
                 "The times of the visit and of its actions do not agree, or it has more than "
                 "10000 actions.",
                 {}};
  }
  if (!row.has("action")) return Filtered{};
  ExportDraft draft(row, options);
  draft.add_person(row.text("fingerprint"));
  draft.set_visitor(first_of(row, {"visitorId", "fingerprint"}));
  if (!set_action(row, draft)) return Filtered{};
  const auto type = row.text("action.type");
  // The target of a link is not a page of the site.
  const bool leads_away = type == "outlink" || type == "download";
  const auto own = leads_away ? std::string() : row.text("action.url");
  draft.set_page({}, own.empty() ? row.text("page") : own);
  draft.set_time(row.text("action.timestamp"));
  set_matomo_arrival(row, draft);
  draft.set_visit(row.text("idSite") + "/" + row.text("idVisit"));
  draft.set_place(first_of(row, {"countryCode", "country"}), row.text("regionCode"),
                  row.text("city"));
  draft.set_browser(row.text("browserName"), row.text("browserVersion"));
  draft.set_os(row.text("operatingSystemName"), row.text("operatingSystemVersion"));
  set_matomo_device(row, draft);
  const auto resolution = row.text("resolution");
  draft.set_screen_width(std::string_view(resolution).substr(0, resolution.find('x')));
  draft.set_language(row.text("languageCode"));
  return std::move(draft).finish();
}

}  // namespace analytics::cli
