#include <nlohmann/json.hpp>

#include "common/event_payload.h"
#include "common/json.h"
#include "common/text.h"

namespace analytics {
namespace {

/// The members that override derived values, by name.
using Derived = EventPayload::Derived;
constexpr std::pair<std::string_view, std::optional<std::string> Derived::*> kDerivedFields[] = {
    {"country", &Derived::country}, {"region", &Derived::region},
    {"city", &Derived::city},       {"device", &Derived::device},
    {"browser", &Derived::browser}, {"browser_version", &Derived::browser_version},
    {"os", &Derived::os},           {"os_version", &Derived::os_version},
    {"screen", &Derived::screen},   {"language", &Derived::language},
};

}  // namespace

std::string props_to_json(const std::vector<Property>& props) {
  if (props.empty()) return {};
  std::string text = "{";
  for (const auto& prop : props) {
    if (text.size() > 1) text += ',';
    text += json::quote(prop.key) + ':' + json::quote(prop.value);
  }
  return text + '}';
}

std::string to_json(const EventPayload& payload) {
  nlohmann::ordered_json body;
  body["domain"] = join(payload.domains, ",");
  body["name"] = payload.name;
  body["url"] = payload.url;
  if (!payload.referrer.empty()) body["referrer"] = payload.referrer;
  if (payload.screen_width) body["screen_width"] = *payload.screen_width;
  for (const auto& prop : payload.props) body["props"][prop.key] = prop.value;
  if (!payload.interactive) body["interactive"] = false;
  if (payload.hash_mode) body["hashMode"] = 1;
  if (payload.revenue) {
    body["revenue"] = {{"amount", format_micros(payload.revenue->micros)},
                       {"currency", payload.revenue->currency}};
  }
  if (payload.engagement.millis) body["e"] = *payload.engagement.millis;
  if (payload.engagement.scroll_depth) body["sd"] = *payload.engagement.scroll_depth;
  // Always above 10^11, so that it is read as milliseconds: nothing before 1990 is accepted.
  if (payload.timestamp) body["timestamp"] = payload.timestamp->time_since_epoch().count();
  if (payload.ip) body["ip"] = *payload.ip;
  if (payload.user_agent) body["user_agent"] = *payload.user_agent;
  if (payload.visitor) body["visitor"] = *payload.visitor;
  if (payload.visit) body["visit"] = *payload.visit;
  if (payload.id) body["id"] = *payload.id;
  if (payload.keep_bots) body["keep_bots"] = *payload.keep_bots;
  for (const auto& [name, field] : kDerivedFields) {
    if (const auto& value = payload.derived.*field) body[std::string(name)] = *value;
  }
  return body.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace analytics
