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

std::optional<std::int64_t> seconds_of(const nlohmann::json& object, const char* name) {
  const auto found = object.find(name);
  if (found == object.end()) return std::nullopt;
  if (found->is_number_integer()) return found->get<std::int64_t>();
  return found->is_string() ? parse_int(found->get_ref<const std::string&>()) : std::nullopt;
}

/// An action's time is the site's local time, counted as if it was UTC; that of the visit is
/// right. Returns by how much the former are ahead.
std::int64_t zone_of(const nlohmann::json& visit, const nlohmann::json& actions) {
  std::optional<std::int64_t> earliest;
  for (const auto& action : actions) {
    const auto time = action.is_object() ? seconds_of(action, "timestamp") : std::nullopt;
    if (time && (!earliest || *time < *earliest)) earliest = time;
  }
  const auto first = seconds_of(visit, "firstActionTimestamp");
  if (!earliest || !first) return 0;
  const auto ahead = *earliest - *first;
  const bool is_zone = ahead % kZoneStep == 0 && std::abs(ahead) <= kMostZone;
  return is_zone ? ahead : 0;
}

std::string text_in(const nlohmann::json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
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

std::vector<std::string> parts_of_matomo(const nlohmann::json& visit) {
  std::vector<std::string> parts;
  const auto actions = visit.find("actionDetails");
  if (actions == visit.end() || !actions->is_array()) return parts;
  auto part = visit;
  for (const auto* name : {"actionDetails", "plugins", "pluginsIcons"}) part.erase(name);
  const auto ahead = zone_of(visit, *actions);
  std::string page;
  for (const auto& action : *actions) {
    if (!action.is_object()) continue;
    part["action"] = action;
    const auto time = seconds_of(action, "timestamp");
    if (time) part["action"]["timestamp"] = *time - ahead;
    const auto type = text_in(action, "type");
    if (type == "action") page = text_in(action, "url");
    part["page"] = page;
    parts.push_back(part.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
    // How the visit came is said with its first action alone.
    for (const auto* name : {"referrerUrl", "referrerType", "referrerName", "referrerKeyword",
                             "campaignSource", "campaignMedium", "campaignContent"}) {
      part.erase(name);
    }
  }
  return parts;
}

/// https://developer.matomo.org/api-reference/reporting-api#Live: one visit with one "action",
/// and the "page" that was viewed last.
ReadLine read_matomo(const ExportRow& row, const ReaderOptions& options) {
  if (!row.has("action")) return Filtered{};  // a visit without actions
  ExportDraft draft(row, options);
  if (!set_action(row, draft)) return Filtered{};
  const bool is_page = draft.payload.name == kPageview;
  const auto own = row.text("action.url");
  const auto page = is_page ? own : row.text("page");
  draft.set_page({}, page.empty() ? own : page);
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
