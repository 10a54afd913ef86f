#include "cli/replay/formats/export_row.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "cli/replay/formats/access_log_format.h"
#include "cli/replay/formats/csv_fields.h"
#include "common/json/json.h"
#include "common/text/text.h"

namespace analytics::cli {
namespace {

constexpr std::string_view kNull = "\\N";  // null as ClickHouse and PostgreSQL write it
constexpr std::string_view kMysqlNull = "NULL";

/// Returns a scalar value as text; empty for objects, lists and null.
std::string text_of(const nlohmann::json& value) {
  if (value.is_string()) return value.get<std::string>();
  return value.is_boolean() || value.is_number() ? value.dump() : std::string();
}

/// Returns the value that is set in an object such as `{"string_value":null,"int_value":1}`.
/// Returns a scalar value itself.
std::string wrapped_text_of(const nlohmann::json& value) {
  if (!value.is_object()) return text_of(value);
  for (const auto& [kind, inner] : value.items()) {
    if (auto text = text_of(inner); !text.empty()) return text;
  }
  return {};
}

std::vector<Property> members_of(const nlohmann::json& value) {
  std::vector<Property> all;
  const auto add = [&](const std::string& key, std::string text) {
    if (!text.empty()) all.push_back({key, std::move(text)});
  };
  if (value.is_object()) {
    for (const auto& [key, inner] : value.items()) add(key, text_of(inner));
  } else if (value.is_array()) {
    for (const auto& each : value) {
      if (!each.is_object()) continue;
      const auto key = each.find("key");
      const auto inner = each.find("value");
      if (key != each.end() && inner != each.end()) add(text_of(*key), wrapped_text_of(*inner));
    }
  }
  return all;
}

/// Returns the elements of a list in ClickHouse's form, such as `['a','it\'s']`.
std::vector<std::string> quoted_list(std::string_view text) {
  std::vector<std::string> all;
  bool is_inside = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '\'') {
      is_inside = !is_inside;
      if (is_inside) all.emplace_back();
    } else if (is_inside) {
      const bool is_escape = text[at] == '\\' && at + 1 < text.size();
      all.back() += is_escape ? escaped_character(text[++at]) : text[at];
    }
  }
  return all;
}

/// Returns true if the column's name is "NAME.member", where NAME is `object`.
bool is_member(std::string_view column, std::string_view object) {
  return column.starts_with(object) && column.substr(object.size()).starts_with('.');
}

}  // namespace

std::string value_of(const std::vector<Property>& props, std::string_view key) {
  const auto found = std::find_if(props.begin(), props.end(),
                                  [&](const Property& prop) { return prop.key == key; });
  return found == props.end() ? std::string() : found->value;
}

const std::string* TableRow::find(std::string_view name) const {
  const auto found = std::find(columns_.begin(), columns_.end(), name);
  return found == columns_.end() ? nullptr
                                 : &values_[static_cast<std::size_t>(found - columns_.begin())];
}

bool TableRow::has(std::string_view name) const {
  return find(name) != nullptr ||
         std::any_of(columns_.begin(), columns_.end(),
                     [&](const std::string& column) { return is_member(column, name); });
}

std::string TableRow::text(std::string_view name) const {
  const auto* value = find(name);
  const bool is_null =
      value == nullptr || (nulls_ == Nulls::kWords && (*value == kNull || *value == kMysqlNull));
  if (is_null) return {};
  auto text = *value;
  std::erase(text, '\0');  // an empty column of fixed length contains NUL bytes
  return is_valid_utf8(text) ? text : log_text(text);
}

std::vector<std::string> TableRow::list(std::string_view name) const {
  return quoted_list(text(name));
}

std::vector<Property> TableRow::members(std::string_view name) const {
  if (find(name) != nullptr) {
    const auto document = json::parse_document(text(name));
    return document ? members_of(*document) : std::vector<Property>();
  }
  std::vector<Property> all;
  for (const auto& column : columns_) {
    if (!is_member(column, name)) continue;
    if (auto value = text(column); !value.empty()) {
      all.push_back({column.substr(name.size() + 1), std::move(value)});
    }
  }
  return all;
}

DocumentRow::DocumentRow(nlohmann::json& document) : document_(document) {
  for (auto& [key, value] : document.items()) {
    if (!value.is_string() || !value.get_ref<const std::string&>().starts_with('{')) continue;
    if (auto inner = json::parse_document(value.get_ref<const std::string&>())) value = *inner;
  }
}

const nlohmann::json* DocumentRow::find(std::string_view name) const {
  const auto* place = &document_;
  while (place->is_object()) {
    if (const auto member = place->find(name); member != place->end()) return &*member;
    const auto dot = name.find('.');
    if (dot == std::string_view::npos) return nullptr;
    const auto outer = place->find(name.substr(0, dot));
    if (outer == place->end()) return nullptr;
    place = &*outer;
    name.remove_prefix(dot + 1);
  }
  return nullptr;
}

std::string DocumentRow::text(std::string_view name) const {
  const auto* value = find(name);
  return value == nullptr ? std::string() : text_of(*value);
}

std::vector<std::string> DocumentRow::list(std::string_view name) const {
  std::vector<std::string> all;
  const auto* value = find(name);
  if (value == nullptr || !value->is_array()) return all;
  for (const auto& each : *value) all.push_back(text_of(each));
  return all;
}

std::vector<Property> DocumentRow::members(std::string_view name) const {
  const auto* value = find(name);
  return value == nullptr ? std::vector<Property>() : members_of(*value);
}

}  // namespace analytics::cli
