#include "cli/replay/tables/umami_join.h"

#include <algorithm>

#include "common/json.h"

// https://github.com/umami-software/umami: prisma/schema.prisma, and db/clickhouse/schema.sql for
// the cloud's exports.
namespace analytics::cli {
namespace {

struct Named {
  std::string_view name;
  UmamiTable table;
};
constexpr Named kTables[] = {
    {"website_event", UmamiTable::kEvent},  {"session", UmamiTable::kSession},
    {"event_data", UmamiTable::kEventData}, {"revenue", UmamiTable::kRevenue},
    {"website", UmamiTable::kWebsite},      {"session_data", UmamiTable::kSessionData}};

constexpr std::string_view kOfSession[] = {"browser", "os",   "device",       "language", "country",
                                           "region",  "city", "subdivision1", "hostname"};
/// Columns by which a row is known for Umami's, also when they are null.
constexpr std::string_view kMarks[] = {"url_path", "referrer_domain", "event_type", "session_id"};

constexpr char kNumber[] = "2";  // a type of event_data

/// "12.5000" as "12.5".
std::string without_zeros(std::string_view number) {
  if (number.find('.') == std::string_view::npos) return std::string(number);
  number = number.substr(0, number.find_last_not_of('0') + 1);
  if (number.ends_with('.')) number.remove_suffix(1);
  return std::string(number);
}

bool is_in(std::string_view name, const auto& names) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

void add_text(std::string& object, std::string_view member) {
  if (object.size() > 1) object += ',';
  object += member;
}

std::string member_of(std::string_view name, std::string_view value) {
  return json::quote(name) + ":" + json::quote(value);
}

}  // namespace

UmamiTable umami_table_called(std::string_view name) {
  for (const auto& [known, table] : kTables) {
    if (known == name) return table;
  }
  return UmamiTable::kOther;
}

std::string_view umami_table_name(UmamiTable table) {
  for (const auto& [name, known] : kTables) {
    if (known == table) return name;
  }
  return {};
}

UmamiTable umami_table_of(const std::vector<std::string>& columns) {
  const auto has = [&](std::initializer_list<std::string_view> names) {
    return std::all_of(names.begin(), names.end(),
                       [&](std::string_view name) { return is_in(name, columns); });
  };
  const bool is_of_event = has({"event_id"}) || has({"website_event_id"});
  const bool has_data = has({"data_key"}) || has({"event_key"});
  if (has({"session_id", "url_path", "event_type"})) return UmamiTable::kEvent;
  if (!has({"website_id"})) return UmamiTable::kOther;
  if (has_data && is_of_event) return UmamiTable::kEventData;
  if (has_data && has({"session_id"})) return UmamiTable::kSessionData;
  if (has({"revenue", "currency"}) && is_of_event) return UmamiTable::kRevenue;
  if (has({"session_id", "browser", "os", "device"})) return UmamiTable::kSession;
  if (has({"domain", "name"})) return UmamiTable::kWebsite;
  return UmamiTable::kOther;
}

bool UmamiJoin::begin(std::string_view table, const std::vector<std::string>& columns) {
  table_ = umami_table_called(table);
  columns_ = columns;
  has_event_table_ = has_event_table_ || table_ == UmamiTable::kEvent;
  const bool is_event = table_ == UmamiTable::kEvent;
  if (table_ == UmamiTable::kOther || table_ == UmamiTable::kSessionData) return false;
  return pass_ == Pass::kOnly || is_event == (pass_ == Pass::kSecond);
}

std::string UmamiJoin::take(TableValues row) {
  constexpr char kOrder[] =
      "the events stand before other rows that belong to them, which only a file can be read for, "
      "not a pipe";
  if (table_ == UmamiTable::kEvent) {
    if (pass_ == Pass::kOnly && !has_sessions_) return kOrder;
    has_events_ = true;
    write_event(row);
    return {};
  }
  if (has_events_) return kOrder;
  has_sessions_ = has_sessions_ || table_ == UmamiTable::kSession;
  keep(row);
  return {};
}

/// Null where there is no such column, or no value.
const std::string* UmamiJoin::value_of(const TableValues& row, std::string_view column) const {
  const auto found = std::find(columns_.begin(), columns_.end(), column);
  if (found == columns_.end()) return nullptr;
  const auto& value = row[static_cast<std::size_t>(found - columns_.begin())];
  return value ? &*value : nullptr;
}

const std::string* UmamiJoin::first_value_of(
    const TableValues& row, std::initializer_list<std::string_view> columns) const {
  for (const auto column : columns) {
    const auto* value = value_of(row, column);
    if (value != nullptr && !value->empty()) return value;
  }
  return nullptr;
}

/// A row that belongs to events, as members of a JSON object.
void UmamiJoin::keep(const TableValues& row) {
  std::string members;
  const std::string* key = nullptr;
  const auto add = [&](std::string_view name, const std::string* value) {
    if (value == nullptr || value->empty()) return;
    members += (members.empty() ? "" : ",") + member_of(name, *value);
  };
  switch (table_) {
    case UmamiTable::kSession:
      key = value_of(row, "session_id");
      for (const auto column : kOfSession) add(column, value_of(row, column));
      break;
    case UmamiTable::kEventData: {
      key = first_value_of(row, {"website_event_id", "event_id"});
      const auto* name = first_value_of(row, {"data_key", "event_key"});
      const auto* value =
          first_value_of(row, {"string_value", "event_string_value", "number_value",
                               "event_numeric_value", "date_value", "event_date_value"});
      const auto* type = first_value_of(row, {"data_type", "event_data_type"});
      if (name == nullptr || value == nullptr) break;
      const auto shown = type != nullptr && *type == kNumber ? without_zeros(*value) : *value;
      add(*name, &shown);
      break;
    }
    case UmamiTable::kRevenue:
      key = first_value_of(row, {"website_event_id", "event_id"});
      add("revenue", value_of(row, "revenue"));
      add("currency", value_of(row, "currency"));
      break;
    case UmamiTable::kWebsite:
      key = value_of(row, "website_id");
      add("website_domain", value_of(row, "domain"));
      if (key != nullptr) index_->websites.try_emplace(*key, members);
      return;
    case UmamiTable::kEvent:
    case UmamiTable::kSessionData:
    case UmamiTable::kOther: return;
  }
  if (key != nullptr && !members.empty()) {
    index_->texts.add(*key, static_cast<int>(table_), members);
  }
}

/// Members of the event stand behind those of its session, so that they win.
void UmamiJoin::write_event(const TableValues& row) {
  const auto known = [&](std::string_view column) {
    const auto* key = value_of(row, column);
    return key == nullptr ? std::vector<DiskIndex::Entry>() : index_->texts.find(*key);
  };
  const auto is_of = [](const DiskIndex::Entry& entry, UmamiTable table) {
    return entry.kind == static_cast<int>(table);
  };
  std::string object = "{";
  if (const auto session = known("session_id"); !session.empty()) {
    add_text(object, session.front().text);
  }
  const auto* website = value_of(row, "website_id");
  const auto found = index_->websites.find(website == nullptr ? std::string() : *website);
  if (found != index_->websites.end() && !found->second.empty()) add_text(object, found->second);
  if (index_->websites.size() > 1) add_text(object, R"("other_websites":true)");
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (row[i]) add_text(object, member_of(columns_[i], *row[i]));
  }
  for (const auto mark : kMarks) {
    if (value_of(row, mark) == nullptr) add_text(object, json::quote(mark) + ":null");
  }
  std::string data = "{";
  for (const auto& entry : known("event_id")) {
    if (is_of(entry, UmamiTable::kRevenue)) add_text(object, entry.text);
    if (is_of(entry, UmamiTable::kEventData)) add_text(data, entry.text);
  }
  if (data.size() > 1) add_text(object, R"("event_data":)" + data + "}");
  *lines_ += object + "}\n";
}

}  // namespace analytics::cli
