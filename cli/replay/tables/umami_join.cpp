#include "cli/replay/tables/umami_join.h"

#include <algorithm>

#include "common/json/json.h"
#include "common/text/text.h"

// The names of tables and columns are from https://github.com/umami-software/umami:
// prisma/schema.prisma for the database, and db/clickhouse/schema.sql for exports of Umami Cloud.
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
/// Columns by which a reader recognises a line as Umami's. They are written even if they are null.
constexpr std::string_view kMarks[] = {"url_path", "referrer_domain", "event_type", "session_id"};

constexpr char kNumber[] = "2";  // data_type of a number in event_data

/// Removes zeros at the end of a decimal fraction: returns "12.5" for "12.5000".
std::string without_zeros(std::string_view number) {
  if (number.find('.') == std::string_view::npos) return std::string(number);
  number = number.substr(0, number.find_last_not_of('0') + 1);
  if (number.ends_with('.')) number.remove_suffix(1);
  return std::string(number);
}

bool is_in(std::string_view name, const auto& names) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

// Maximum number of bytes that are kept of a value; Umami allows 500 characters.
constexpr std::size_t kLongestValue = 2'000;
constexpr std::size_t kMaxWebsites = 10'000;

/// Returns the first non-empty value among these columns; null if all are empty.
const std::string* first_value(const std::vector<std::string>& columns, const TableValues& row,
                               std::initializer_list<std::string_view> names) {
  for (const auto name : names) {
    const auto found = std::find(columns.begin(), columns.end(), name);
    if (found == columns.end()) continue;
    const auto& value = row[static_cast<std::size_t>(found - columns.begin())];
    if (value && !value->empty()) return &*value;
  }
  return nullptr;
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
  // A table with one of these columns has the events of another service, and may have a website_id
  // too.
  const bool has_events = has({"url"}) || has({"timestamp"});
  if (!has({"website_id"}) || has_events) return UmamiTable::kOther;
  if (has_data && is_of_event) return UmamiTable::kEventData;
  if (has_data && has({"session_id"})) return UmamiTable::kSessionData;
  if (has({"revenue", "currency"}) && is_of_event) return UmamiTable::kRevenue;
  if (has({"session_id", "browser", "os", "device"})) return UmamiTable::kSession;
  if (has({"domain", "name"})) return UmamiTable::kWebsite;
  return UmamiTable::kOther;
}

std::string UmamiSideRows::keep(UmamiTable table, const std::vector<std::string>& columns,
                                const TableValues& row) {
  std::string members;
  const std::string* key = nullptr;
  const auto add = [&](std::string_view name, const std::string* value) {
    if (value == nullptr || value->empty()) return;
    members += members.empty() ? "" : ",";
    members += member_of(name, cut_utf8(*value, kLongestValue));
  };
  const auto value_of = [&](std::initializer_list<std::string_view> names) {
    return first_value(columns, row, names);
  };
  switch (table) {
    case UmamiTable::kSession:
      key = value_of({"session_id"});
      for (const auto column : kOfSession) add(column, value_of({column}));
      break;
    case UmamiTable::kEventData: {
      key = value_of({"website_event_id", "event_id"});
      const auto* name = value_of({"data_key", "event_key"});
      const auto* value = value_of({"string_value", "event_string_value", "number_value",
                                    "event_numeric_value", "date_value", "event_date_value"});
      const auto* type = value_of({"data_type", "event_data_type"});
      if (name == nullptr || value == nullptr) break;
      const auto shown = type != nullptr && *type == kNumber ? without_zeros(*value) : *value;
      add(cut_utf8(*name, kLongestValue), &shown);
      break;
    }
    case UmamiTable::kRevenue:
      key = value_of({"website_event_id", "event_id"});
      add("revenue", value_of({"revenue"}));
      add("currency", value_of({"currency"}));
      break;
    case UmamiTable::kWebsite:
      key = value_of({"website_id"});
      add("website_domain", value_of({"domain"}));
      if (key != nullptr) websites_.try_emplace(*key, members);
      return websites_.size() > kMaxWebsites ? "there are over 10,000 websites" : "";
    case UmamiTable::kEvent:
    case UmamiTable::kSessionData:
    case UmamiTable::kOther: return {};
  }
  if (key != nullptr && !members.empty()) texts_.add(*key, static_cast<int>(table), members);
  return {};
}

std::string UmamiSideRows::find(std::string_view session, std::string_view event,
                                std::string_view website) {
  const auto is_of = [](const DiskIndex::Entry& entry, UmamiTable table) {
    return entry.kind == static_cast<int>(table);
  };
  std::string object = "{";
  for (const auto& entry : texts_.find(session)) {
    if (object.size() == 1 && is_of(entry, UmamiTable::kSession)) add_text(object, entry.text);
  }
  const auto found = websites_.find(website);
  if (found != websites_.end() && !found->second.empty()) add_text(object, found->second);
  if (websites_.size() > 1) add_text(object, R"("other_websites":true)");
  std::string data = "{";
  for (const auto& entry : texts_.find(event)) {
    if (is_of(entry, UmamiTable::kRevenue)) add_text(object, entry.text);
    if (is_of(entry, UmamiTable::kEventData)) add_text(data, entry.text);
  }
  if (data.size() > 1) add_text(object, R"("event_data":)" + data + "}");
  return object + "}";
}

bool UmamiJoin::knows(std::string_view table) const {
  const auto known = umami_table_called(table);
  return known != UmamiTable::kOther && known != UmamiTable::kSessionData;
}

/// Returns true for the table of events, because a second one would mix in the events of another
/// installation.
bool UmamiJoin::must_be_one(std::string_view table) const {
  return umami_table_called(table) == UmamiTable::kEvent;
}

bool UmamiJoin::begin(std::string_view table, const std::vector<std::string>& columns) {
  table_ = umami_table_called(table);
  columns_ = columns;
  has_event_table_ = has_event_table_ || table_ == UmamiTable::kEvent;
  has_sessions_ = has_sessions_ || table_ == UmamiTable::kSession;
  const bool is_event = table_ == UmamiTable::kEvent;
  return knows(table) && (pass_ == Pass::kOnly || is_event == (pass_ == Pass::kSecond));
}

std::string UmamiJoin::take(TableValues row) {
  if (table_ == UmamiTable::kEvent) {
    if (pass_ == Pass::kOnly && !has_sessions_) {
      return "the table session does not come before the events; tables in any order can be read "
             "from a file, not from a pipe";
    }
    has_events_ = true;
    write_event(row);
    return {};
  }
  if (has_events_) {
    return "the events come before other rows that belong to them; that can be read from a file, "
           "not from a pipe";
  }
  return side_->keep(table_, columns_, row);
}

/// Writes the JSON line of an event. The event's own members follow those of its session, because
/// the last of two members with the same name is used.
void UmamiJoin::write_event(const TableValues& row) {
  const auto id_in = [&](std::string_view column) {
    const auto* id = first_value(columns_, row, {column});
    return id == nullptr ? std::string_view() : std::string_view(*id);
  };
  auto object = side_->find(id_in("session_id"), id_in("event_id"), id_in("website_id"));
  object.pop_back();
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (row[i]) add_text(object, member_of(columns_[i], *row[i]));
  }
  for (const auto mark : kMarks) {
    if (first_value(columns_, row, {mark}) == nullptr) {
      add_text(object, json::quote(mark) + ":null");
    }
  }
  *lines_ += object + "}\n";
}

}  // namespace analytics::cli
