#include "daemon/store/sqlite/tables/dictionary_reader.h"

#include <algorithm>
#include <limits>

#include "daemon/model/names/language.h"

namespace analytics::sqlite {
namespace {

constexpr std::int64_t kMaxOfPage = 512;

}  // namespace

DictionaryReader::DictionaryReader(Connection& connection, SiteId site, const query::Budget& budget)
    : site_(site),
      budget_(budget),
      texts_(connection,
             "SELECT id, value FROM strings WHERE site = ? AND kind = ? AND id >= ? AND id < ?"),
      number_(connection, "SELECT id FROM strings WHERE site = ? AND kind = ? AND hash = ?"),
      hash_key_(read_hash_key(connection)),
      client_(connection,
              "SELECT device, browser, browser_version, os, os_version FROM clients"
              " WHERE site = ? AND id = ?"),
      place_(connection, "SELECT country, region, city FROM places WHERE site = ? AND id = ?"),
      last_(connection, "SELECT max(id) FROM strings WHERE site = ? AND kind = ?") {}

/// Returns the highest value that an event can have in the column.
std::uint64_t DictionaryReader::most_of(query::Column column) {
  using query::Column;
  switch (column) {
    case Column::kChannel:
    case Column::kScreen: return UINT8_MAX;  // a value without a name is shown as empty
    case Column::kLanguage: return std::numeric_limits<LanguageNumber>::max();
    default: break;
  }
  const auto texts = query::text_column(column);
  const bool is_text = std::any_of(kEventFields.begin(), kEventFields.end(),
                                   [&](const auto& field) { return field.scan == texts; });
  if (!is_text) return UINT64_MAX;
  auto last = last_.query(site_, static_cast<int>(field_of(texts).kind));
  return last.next() ? static_cast<std::uint64_t>(std::max<std::int64_t>(last.int64(0), 0)) : 0;
}

bool DictionaryReader::is_below_most(query::Column column, std::int64_t number) {
  auto& most = most_[query::index_of(column)];
  most = most_of(column);  // texts may have been added since the last call
  return static_cast<std::uint64_t>(number) <= most;
}

void DictionaryReader::refuse(std::int64_t number) {
  throw damage("an event has the number " + std::to_string(number) +
               ", which none of its texts has");
}

std::string DictionaryReader::text(query::Column column, std::int64_t number) {
  return text(field_of(column).kind, number);
}

std::string DictionaryReader::text(StringKind kind, std::int64_t number) {
  if (number == 0) return {};
  auto& page = pages_[kind];
  const auto is_there = [&] {
    return number >= page.first && number - page.first < std::ssize(page.texts);
  };
  if (!is_there()) read(kind, number, page);
  ++page.used;
  return page.texts[static_cast<std::size_t>(number - page.first)];
}

std::int64_t DictionaryReader::number(query::Column column, std::string_view text) {
  return number(field_of(column).kind, text);
}

std::int64_t DictionaryReader::number(StringKind kind, std::string_view text) {
  const auto hash = static_cast<std::int64_t>(keyed_hash(hash_key_, text.data(), text.size()));
  auto rows = number_.query(site_, static_cast<int>(kind), hash);
  return rows.next() ? rows.int64(0) : 0;
}

void DictionaryReader::read(StringKind kind, std::int64_t first, Page& page) {
  budget_.check_time();
  const bool was_useful = 2 * page.used >= page.size;
  page.size =
      was_useful ? std::min(2 * page.size, kMaxOfPage) : std::max<std::int64_t>(page.size / 2, 1);
  page.first = first;
  page.used = 0;
  page.texts.assign(static_cast<std::size_t>(page.size), {});
  auto rows = texts_.query(site_, static_cast<int>(kind), first, first + page.size);
  while (rows.next())
    page.texts[static_cast<std::size_t>(rows.int64(0) - first)] = read_text(rows, 1, kind);
}

Client DictionaryReader::client(std::int64_t number) {
  if (number == 0) return {};
  auto rows = client_.query(site_, number);
  if (!rows.next()) return {};
  return read_client(rows);
}

Place DictionaryReader::place(std::int64_t number) {
  if (number == 0) return {};
  auto rows = place_.query(site_, number);
  if (!rows.next()) return {};
  return read_place(rows);
}

}  // namespace analytics::sqlite
