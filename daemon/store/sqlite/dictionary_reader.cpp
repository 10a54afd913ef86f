#include "daemon/store/sqlite/dictionary_reader.h"

#include "daemon/store/sqlite/event_fields.h"

namespace analytics::sqlite {
DictionaryReader::DictionaryReader(Connection& connection, SiteId site, const query::Budget& budget)
    : site_(site),
      budget_(budget),
      text_(connection, "SELECT value FROM strings WHERE site = ? AND kind = ? AND id = ?"),
      client_(connection,
              "SELECT device, browser, browser_version, os, os_version FROM clients"
              " WHERE site = ? AND id = ?"),
      place_(connection, "SELECT country, region, city FROM places WHERE site = ? AND id = ?") {}

std::string DictionaryReader::text(query::Column column, std::int64_t number) {
  budget_.check_time();
  if (number == 0) return {};
  auto rows = text_.query(site_, static_cast<int>(field_of(column).kind), number);
  return rows.next() ? rows.text(0) : std::string();
}

Client DictionaryReader::client(std::int64_t number) {
  if (number == 0) return {};
  auto rows = client_.query(site_, number);
  if (!rows.next()) return {};
  return {rows.text(0), rows.text(1), rows.text(2), rows.text(3), rows.text(4)};
}

Place DictionaryReader::place(std::int64_t number) {
  if (number == 0) return {};
  auto rows = place_.query(site_, number);
  if (!rows.next()) return {};
  return {rows.text(0), rows.text(1), rows.text(2)};
}

}  // namespace analytics::sqlite
