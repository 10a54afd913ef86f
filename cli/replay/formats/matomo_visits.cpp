// Visits of Matomo's Live API, each with its actions: the export of its visits log.
#include <algorithm>
#include <cstdlib>

#include <nlohmann/json.hpp>

#include "cli/replay/formats/export_draft.h"
#include "cli/replay/formats/export_format.h"
#include "common/json.h"
#include "common/text.h"

namespace analytics::cli {
namespace {

constexpr std::int64_t kZoneStep = 900;  // seconds: all zones differ by such steps
constexpr std::int64_t kMostZone = 50'400;
constexpr std::int64_t kTolerance = 120;  // a visit's end may be that of a page, not of an action
constexpr std::int64_t kLastSecond = 4'102'444'800;
constexpr std::size_t kMostActions = 10'000;

/// What an event is made of; a visit has some hundred members more.
constexpr const char* kMembers[] = {"idSite",
                                    "idVisit",
                                    "visitorId",
                                    "fingerprint",
                                    "countryCode",
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
/// How the visit came: said with its first action alone.
constexpr const char* kArrival[] = {"referrerUrl",     "referrerType",   "referrerName",
                                    "referrerKeyword", "campaignSource", "campaignMedium",
                                    "campaignContent"};

std::optional<std::int64_t> seconds_of(const nlohmann::json& object, const char* name) {
  const auto found = object.find(name);
  if (found == object.end()) return std::nullopt;
  std::optional<std::int64_t> seconds;
  if (found->is_number_integer()) seconds = found->get<std::int64_t>();
  if (found->is_string()) seconds = parse_int(found->get_ref<const std::string&>());
  return seconds && *seconds >= 0 && *seconds <= kLastSecond ? seconds : std::nullopt;
}

/// An action's time is the site's local time, counted as if it was UTC; those of the visit are
/// right. Returns by how much the former are ahead: 0 if nothing says it, nullopt if they do not
/// agree.
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
      if (std::abs(ahead - zone) <= tolerance && std::abs(zone) <= kMostZone) return zone;
    }
  }
  return std::nullopt;
}

std::string text_in(const nlohmann::json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

/// A visit's members are written once for each of its actions: long ones say nothing here.
bool is_short(const nlohmann::json& value) {
  constexpr std::size_t kMostBytes = 4'096;
  if (value.is_string()) return value.get_ref<const std::string&>().size() <= kMostBytes;
  return !value.is_structured();
}

bool is_event(std::string_view type) {
  constexpr std::string_view kEvents[] = {"action", "event", "download",      "outlink",
                                          "search", "goal",  "ecommerceOrder"};
  return std::find(std::begin(kEvents), std::end(kEvents), type) != std::end(kEvents);
}

/// "plugins/Morpheus/icons/dist/devices/feature_phone.png": the name is in no language there.
std::string device_of(const ExportRow& row) {
  auto name = row.text("deviceTypeIcon");
  name = name.substr(name.rfind('/') + 1);
  name = name.substr(0, name.find('.'));
  std::replace(name.begin(), name.end(), '_', ' ');
  return name.empty() ? row.text("deviceType") : name;
}

/// What the action is called, and what else it says. False for what is no event: the impression
/// of a content, an abandoned cart.
bool set_action(const ExportRow& row, ExportDraft& draft) {
  const auto type = row.text("action.type");
  const auto text = [&](const char* name) { return row.text("action." + std::string(name)); };
  auto& name = draft.payload.name;
  if (type == "action") {
    name = kPageview;
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
  const auto actions = visit.find("actionDetails");
  if (actions == visit.end() || !actions->is_array() || actions->size() > kMostActions) return;
  const auto ahead = zone_of(visit, *actions);
  if (!ahead) return;
  nlohmann::json part;
  for (const auto* name : kMembers) {
    const auto found = visit.find(name);
    if (found != visit.end() && is_short(*found)) part[name] = *found;
  }
  std::string page;
  for (const auto& action : *actions) {
    part["action"] = action.is_object() ? action : nlohmann::json::object();
    if (action.is_object()) {
      if (const auto time = seconds_of(action, "timestamp")) {
        part["action"]["timestamp"] = *time - *ahead;
      }
      if (text_in(action, "type") == "action") page = text_in(part["action"], "url");
    }
    part["page"] = page;
    if (!take(part.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace),
              actions->size())) {
      return;
    }
    const auto type = text_in(part["action"], "type");
    if (!is_event(type)) continue;
    for (const auto* name : kArrival) part.erase(name);
  }
}

/// https://developer.matomo.org/api-reference/reporting-api#Live: one visit with one "action",
/// and the "page" that was viewed last.
ReadLine read_matomo(const ExportRow& row, const ReaderOptions& options) {
  if (row.has("actionDetails")) {  // it was not divided
    if (row.list("actionDetails").empty()) return Filtered{};
    return Error{ErrorCode::kInvalidTimestamp,
                 "The times of the visit and of its actions do not agree, or it has more than "
                 "10000 actions.",
                 {}};
  }
  if (!row.has("action")) return Filtered{};
  ExportDraft draft(row, options);
  if (!set_action(row, draft)) return Filtered{};
  const auto type = row.text("action.type");
  // Where a link leads to is no page of the site.
  const bool leads_away = type == "outlink" || type == "download";
  const auto own = leads_away ? std::string() : row.text("action.url");
  draft.set_page({}, own.empty() ? row.text("page") : own);
  draft.set_time(row.text("action.timestamp"));
  draft.set_referrer(row.text("referrerUrl"));
  if (row.text("referrerType") == "campaign") {
    draft.add_parameter("utm_campaign", row.text("referrerName"));
    draft.add_parameter("utm_term", row.text("referrerKeyword"));
    draft.add_parameter("utm_source", row.text("campaignSource"));
    draft.add_parameter("utm_medium", row.text("campaignMedium"));
    draft.add_parameter("utm_content", row.text("campaignContent"));
  }
  draft.set_visitor(first_of(row, {"visitorId", "fingerprint"}));
  draft.set_visit(row.text("idSite") + "/" + row.text("idVisit"));
  draft.set_place(row.text("countryCode"), row.text("regionCode"), row.text("city"));
  draft.set_browser(row.text("browserName"), row.text("browserVersion"));
  draft.set_os(row.text("operatingSystemName"), row.text("operatingSystemVersion"));
  draft.set_device(device_of(row));
  const auto resolution = row.text("resolution");
  draft.set_screen_width(std::string_view(resolution).substr(0, resolution.find('x')));
  draft.set_language(row.text("languageCode"));
  return std::move(draft).finish();
}

}  // namespace analytics::cli
