#include "cli/replay/formats/advice.h"

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <vector>

#include "cli/replay/formats/csv_fields.h"
#include "cli/replay/formats/log_time.h"
#include "common/json/json.h"
#include "common/text/address.h"
#include "common/text/shell_words.h"
#include "common/text/text.h"
#include "common/text/url.h"

namespace analytics::cli {
namespace {

constexpr std::size_t kShownLine = 200;
constexpr std::size_t kShownColumns = 40;
constexpr std::size_t kLongestName = 60;  // bytes; a longer text is no column name
constexpr UnixMillis kEarliestBelieved = std::chrono::sys_days(std::chrono::year(2000) / 1 / 1);

/// A column and its value in the first record; the value is empty if it is unknown.
struct NamedValue {
  std::string name;
  std::string value;
};

/// Common column names for a field of an event, in lower case and with only letters and digits.
struct UsualNames {
  std::string_view field;
  std::initializer_list<std::string_view> names;
};
const UsualNames kUsualNames[] = {
    {"url",
     {"url", "pageurl", "pagelocation", "location", "documentlocation", "currenturl", "fullurl",
      "requesturl", "href", "permalink", "link", "page", "pagepath", "pathname", "path", "uri"}},
    {"timestamp",
     {"timestamp", "datetime", "time", "ts", "eventtime", "servertime", "visittime", "hittime",
      "createdat", "occurredat", "receivedat", "when", "date", "day"}},
    {"name", {"eventname", "event", "eventtype", "action"}},
    {"referrer", {"referrer", "referer", "referrerurl", "pagereferrer", "ref"}},
    {"ip", {"ip", "ipaddress", "clientip", "userip", "remoteaddr", "ipaddr", "address"}},
    {"user_agent", {"useragent", "ua", "agent", "browseragent"}},
    {"visitor",
     {"visitor", "visitorid", "clientid", "anonymousid", "distinctid", "deviceid", "userid",
      "uid"}},
    {"visit", {"visitid", "visit", "sessionid", "session"}},
    {"country", {"countrycode", "country"}},
    {"browser", {"browser", "browsername"}},
    {"os", {"os", "operatingsystem", "platform"}},
    {"language", {"language", "lang", "locale"}}};

/// Returns the last part of a column name in the form of UsualNames: "urlpath" for "page.URL_path".
std::string plain_name(std::string_view name) {
  auto plain = ascii_lower(name.substr(name.rfind('.') + 1));  // without a dot, npos + 1 is 0
  std::erase_if(plain, [](char c) { return (c < 'a' || c > 'z') && (c < '0' || c > '9'); });
  return plain;
}

bool has_kind(std::string_view field, const std::string& value) {
  if (field == "url") return value.starts_with('/') || split_url(value).has_value();
  if (field == "timestamp") return parse_log_time(value).value_or(UnixMillis{}) > kEarliestBelieved;
  if (field == "ip") return parse_address(value).has_value();
  return field == "user_agent" && value.starts_with("Mozilla/");
}

const NamedValue* find_column(const UsualNames& usual, const std::vector<NamedValue>& columns) {
  for (const auto name : usual.names) {
    for (const auto& column : columns) {
      const bool may_be = column.value.empty() || (usual.field != "url" && usual.field != "ip") ||
                          has_kind(usual.field, column.value);
      if (plain_name(column.name) == name && may_be) return &column;
    }
  }
  const auto found = std::find_if(columns.begin(), columns.end(), [&](const NamedValue& column) {
    return !column.value.empty() && has_kind(usual.field, column.value);
  });
  return found == columns.end() ? nullptr : &*found;
}

std::string propose(const std::vector<NamedValue>& columns, std::string_view kind) {
  std::vector<std::string> names;
  names.reserve(columns.size());
  for (const auto& column : columns) names.push_back(column.name);
  const bool is_long = names.size() > kShownColumns;
  if (is_long) names.resize(kShownColumns);
  auto advice = "unknown format: " + std::string(kind) + " " + join(names, ", ") +
                (is_long ? " …" : "") + ". ";
  std::string map;
  std::vector<const NamedValue*> used;
  bool has_page = false;
  for (const auto& usual : kUsualNames) {
    const auto* column = find_column(usual, columns);
    if (column == nullptr || std::find(used.begin(), used.end(), column) != used.end()) continue;
    used.push_back(column);
    has_page = has_page || usual.field == "url";
    map += " --map " + std::string(usual.field) + "=" + shell_words({column->name});
  }
  if (!has_page) {
    return advice + "Say which hold the page and its time: --map url=NAME --map timestamp=NAME";
  }
  return advice + "Perhaps:" + map + " --dry-run";
}

std::vector<NamedValue> columns_of(const json::Object& object) {
  std::vector<NamedValue> columns;
  for (const auto& [key, value] : object.members) {
    if (key.size() > kLongestName) continue;
    if (value.is_scalar()) columns.push_back({key, value.text});
    for (const auto& [inner, scalar] : value.members) {
      if (scalar.is_scalar() && inner.size() <= kLongestName) {
        columns.push_back({key + "." + inner, scalar.text});
      }
    }
  }
  return columns;
}

/// Returns the columns of a line that looks like a header: short names, none of which begins with a
/// digit. Returns nullopt for other lines.
std::optional<std::vector<NamedValue>> columns_of_table(std::string_view line) {
  const auto names = csv_fields(line, guess_delimiter(line));
  if (!names || names->size() < 2) return std::nullopt;
  std::vector<NamedValue> columns;
  for (const auto& name : *names) {
    const bool has_letter =
        !plain_name(name).empty() && !(name.front() >= '0' && name.front() <= '9');
    if (!has_letter || name.size() > kLongestName || split_url(name)) return std::nullopt;
    columns.push_back({name, {}});
  }
  return columns;
}

}  // namespace

std::string advise(std::string_view first_line) {
  if (const auto object = json::parse_object(trim(first_line))) {
    const auto* result = object->find("result");
    const auto* message = object->find("message");
    if (result != nullptr && result->text == "error" && message != nullptr) {
      return "the file is an error that its service answered: " +
             visible(cut_utf8(message->text, kShownLine));
    }
    const auto columns = columns_of(*object);
    if (!columns.empty()) return propose(columns, "the first record is a JSON object that has");
    return "unknown format: the first record is a JSON object without values of its own; if its "
           "events are in a list inside it, take that out first, as 'jq .NAME' does";
  }
  if (const auto columns = columns_of_table(first_line)) {
    return propose(*columns, "the first line is a table's header with the columns");
  }
  if (first_line.starts_with("PGDMP")) {
    return "unknown format: a custom dump of PostgreSQL, which 'pg_restore --file=dump.sql FILE' "
           "writes as SQL";
  }
  if (first_line.starts_with("PAR1")) {
    return "unknown format: Parquet; export the events as JSON, one a line";
  }
  return "unknown format: use --format, or describe a log's lines with --log-format, for this "
         "line: " +
         visible(cut_utf8(first_line, kShownLine));
}

}  // namespace analytics::cli
