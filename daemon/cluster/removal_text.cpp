#include "daemon/cluster/removal_text.h"

#include <nlohmann/json.hpp>

namespace analytics::cluster {
namespace {

using nlohmann::json;

std::int64_t seconds_of(UnixSeconds time) { return time.time_since_epoch().count(); }
UnixSeconds time_of(const json& number) {
  return UnixSeconds(std::chrono::seconds(number.get<std::int64_t>()));
}

/// Sets one condition of a selection of events. Returns false if its name is unknown or its value
/// is invalid.
bool read_condition(const std::string& name, const json& value, EventSelection& what) {
  if (name == "site") {
    what.site = value.get<SiteId>();
  } else if (name == "from") {
    what.from = time_of(value);
  } else if (name == "to") {
    what.to = time_of(value);
  } else if (name == "page") {
    what.page = value.get<std::string>();
  } else if (name == "source") {
    what.source = value.get<std::string>();
  } else if (name == "prop") {
    what.prop = EventSelection::Prop{value.get<std::string>()};
  } else if (name == "visitor_of") {
    what.visitor_of = parse_lasting_id(value.get<std::string>());
    return what.visitor_of.has_value();
  } else if (name == "visitor") {
    what.visitor = value.get<std::uint64_t>();
  } else {
    return false;
  }
  return true;
}

}  // namespace

std::string to_text(const std::optional<store::SharedRemoval>& removal) {
  if (!removal) return {};
  const auto& what = removal->what;
  json text = {{"at", seconds_of(removal->at)}, {"site", what.site}};
  if (what.from != UnixSeconds::min()) text["from"] = seconds_of(what.from);
  if (what.to != UnixSeconds::max()) text["to"] = seconds_of(what.to);
  if (what.page) text["page"] = *what.page;
  if (what.source) text["source"] = *what.source;
  if (what.prop) text["prop"] = what.prop->key;
  if (what.prop && what.prop->value) text["prop_value"] = *what.prop->value;
  if (what.visitor_of) text["visitor_of"] = analytics::to_text(*what.visitor_of);
  if (what.visitor) text["visitor"] = *what.visitor;
  return text.dump(-1, ' ', true, json::error_handler_t::replace);
}

Result<std::optional<store::SharedRemoval>> parse_removal(const std::string& text) {
  if (text.empty()) return std::nullopt;
  store::SharedRemoval removal;
  std::optional<std::string> prop_value;
  bool is_known = false;
  try {
    const auto members = json::parse(text);
    is_known = members.is_object() && members.contains("site");
    for (const auto& [name, value] : members.items()) {
      if (name == "at") {
        removal.at = time_of(value);
      } else if (name == "prop_value") {
        prop_value = value.get<std::string>();
      } else {
        is_known = is_known && read_condition(name, value, removal.what);
      }
    }
  } catch (const json::exception&) {
    is_known = false;
  }
  if (prop_value && removal.what.prop) removal.what.prop->value = std::move(prop_value);
  if (is_known) return removal;
  return fail(ErrorCode::kInvalidParameter,
              "The registry has a removal that this version of analyticsd cannot read.");
}

}  // namespace analytics::cluster
