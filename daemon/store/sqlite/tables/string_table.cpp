#include "daemon/store/sqlite/tables/string_table.h"

#include <algorithm>

namespace analytics::sqlite {

HashKey read_hash_key(Connection& connection) {
  HashKey key{};
  Statement select(connection, "SELECT value FROM meta WHERE name = 'dictionary_key'");
  auto rows = select.query();
  if (rows.next() && rows.blob(0).size() == key.size()) {
    std::copy_n(rows.blob(0).begin(), key.size(), key.begin());
  }
  return key;
}
namespace {

std::optional<std::string_view> unless_empty(const std::string& text) {
  return text.empty() ? std::nullopt : std::optional<std::string_view>(text);
}

}  // namespace

std::int64_t most_bytes_of(StringKind kind) {
  // An event has up to 30 properties of 2,300 bytes, and JSON may escape a byte as six bytes.
  return kind == StringKind::kProps ? 524'288 : 8'192;
}

std::string read_text(const Rows& row, int column, StringKind kind) {
  auto text = row.text(column);
  if (std::ssize(text) > most_bytes_of(kind)) throw damage("a text is longer than any event's");
  return text;
}

Client read_client(const Rows& row) {
  const auto part = [&](int column) { return read_text(row, column, StringKind::kClient); };
  return {part(0), part(1), part(2), part(3), part(4)};
}

Place read_place(const Rows& row) {
  const auto part = [&](int column) { return read_text(row, column, StringKind::kPlace); };
  return {part(0), part(1), part(2)};
}

StringTable::StringTable(Connection& connection)
    : connection_(connection),
      find_(connection, "SELECT id FROM strings WHERE site = ? AND kind = ? AND hash = ?"),
      last_(connection, "SELECT max(id) FROM strings WHERE site = ? AND kind = ?"),
      insert_(connection, "INSERT INTO strings(site, kind, id, hash, value) VALUES(?, ?, ?, ?, ?)"),
      insert_client_(connection,
                     "INSERT INTO clients(site, id, device, browser, browser_version, os,"
                     " os_version) VALUES(?, ?, ?, ?, ?, ?, ?)"),
      insert_place_(connection,
                    "INSERT INTO places(site, id, country, region, city) VALUES(?, ?, ?, ?, ?)"),
      page_(connection,
            "SELECT kind, id, hash FROM strings WHERE site = ?1 AND (kind, id) > (?2, ?3)"
            " ORDER BY kind, id LIMIT ?4"),
      remove_(connection, "DELETE FROM strings WHERE site = ? AND kind = ? AND id = ?") {}

std::optional<std::int64_t> StringTable::find(SiteId site, StringKind kind, std::uint64_t hash) {
  auto rows = find_.query(site, static_cast<int>(kind), static_cast<std::int64_t>(hash));
  return rows.next() ? std::optional(rows.int64(0)) : std::nullopt;
}

std::int64_t StringTable::last(SiteId site, StringKind kind) {
  auto rows = last_.query(site, static_cast<int>(kind));
  return rows.next() ? rows.int64(0) : 0;
}

void StringTable::insert(SiteId site, StringKind kind, std::int64_t id, std::uint64_t hash,
                         std::string_view text) {
  insert_.run(site, static_cast<int>(kind), id, static_cast<std::int64_t>(hash), text);
}

void StringTable::insert_parts(SiteId site, std::int64_t id, const Client& client) {
  insert_client_.run(site, id, unless_empty(client.device), unless_empty(client.browser),
                     unless_empty(client.browser_version), unless_empty(client.os),
                     unless_empty(client.os_version));
}

void StringTable::insert_parts(SiteId site, std::int64_t id, const Place& place) {
  insert_place_.run(site, id, unless_empty(place.country), unless_empty(place.region),
                    unless_empty(place.city));
}

std::vector<StringTable::Stored> StringTable::page(SiteId site, const Stored& after,
                                                   std::int64_t most) {
  std::vector<Stored> texts;
  auto rows = page_.query(site, static_cast<int>(after.kind), after.id, most);
  while (rows.next()) {
    texts.push_back({static_cast<StringKind>(rows.int64(0)), rows.int64(1),
                     static_cast<std::uint64_t>(rows.int64(2))});
  }
  return texts;
}

void StringTable::remove(SiteId site, const Stored& text) {
  remove_.run(site, static_cast<int>(text.kind), text.id);
  const auto* field = find_field(text.kind);
  if (field == nullptr || field->parts == nullptr) return;
  Statement remove(connection_,
                   std::string("DELETE FROM ") + field->parts + " WHERE site = ? AND id = ?");
  remove.run(site, text.id);
}

bool StringTable::remove_some(SiteId site, std::int64_t most) {
  Statement strings(connection_,
                    "DELETE FROM strings WHERE site = ?1 AND (kind, id) IN"
                    " (SELECT kind, id FROM strings WHERE site = ?1 LIMIT ?2)");
  strings.run(site, most);
  if (connection_.changes() == most) return true;
  for (const auto* table : {"clients", "places"}) {
    Statement rows(connection_, std::string("DELETE FROM ") + table + " WHERE site = ?");
    rows.run(site);
  }
  return false;
}

}  // namespace analytics::sqlite
