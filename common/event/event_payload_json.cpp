#include "common/event/event_payload.h"
#include "common/json/json.h"
#include "common/text/text.h"

namespace analytics {
namespace {

using Derived = EventPayload::Derived;
/// Members of EventPayload::Derived with their names in JSON.
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
  std::string body = "{\"domain\":" + json::quote(join(payload.domains, ","));
  const auto put = [&](std::string_view name, const std::string& value) {
    body += ",\"";
    body += name;
    body += "\":";
    body += value;
  };
  const auto put_text = [&](std::string_view name, const std::optional<std::string>& text) {
    if (text) put(name, json::quote(*text));
  };
  put("name", json::quote(payload.name));
  put("url", json::quote(payload.url));
  if (!payload.referrer.empty()) put("referrer", json::quote(payload.referrer));
  if (payload.screen_width) put("screen_width", std::to_string(*payload.screen_width));
  if (!payload.props.empty()) put("props", props_to_json(payload.props));
  if (!payload.interactive) put("interactive", "false");
  if (payload.hash_mode) put("hashMode", "1");
  if (payload.revenue) {
    put("revenue", "{\"amount\":" + json::quote(format_micros(payload.revenue->micros)) +
                       ",\"currency\":" + json::quote(payload.revenue->currency) + "}");
  }
  if (payload.engagement.millis) put("e", std::to_string(*payload.engagement.millis));
  if (payload.engagement.scroll_depth) put("sd", std::to_string(*payload.engagement.scroll_depth));
  // The number is always above 10^11, because times before 1990 are rejected, so parsers read it as
  // milliseconds.
  if (payload.timestamp) {
    put("timestamp", std::to_string(payload.timestamp->time_since_epoch().count()));
  }
  put_text("ip", payload.ip);
  put_text("user_agent", payload.user_agent);
  put_text("visitor", payload.visitor);
  put_text("visit", payload.visit);
  put_text("id", payload.id);
  if (payload.keep_bots) put("keep_bots", *payload.keep_bots ? "true" : "false");
  for (const auto& [name, field] : kDerivedFields) put_text(name, payload.derived.*field);
  return body + '}';
}

}  // namespace analytics
