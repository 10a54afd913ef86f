#include "daemon/store/sqlite/journal/journal_texts.h"

#include "common/event/screen_class.h"
#include "daemon/model/channel.h"
#include "daemon/model/names/language.h"

namespace analytics::sqlite {

using query::kOwnColumns;

std::string journal_columns(const std::string& event, std::size_t from) {
  std::string columns;
  for (std::size_t i = from; i < kOwnColumns.size(); ++i) {
    columns += ", " + event + "." + kOwnColumns[i].name;
  }
  return columns;
}

JournalTexts::JournalTexts(Connection& connection)
    : text_(connection, "SELECT value FROM strings WHERE site = ? AND kind = ? AND id = ?"),
      client_(connection,
              "SELECT device, browser, browser_version, os, os_version FROM clients"
              " WHERE site = ? AND id = ?"),
      place_(connection, "SELECT country, region, city FROM places WHERE site = ? AND id = ?") {}

std::size_t JournalTexts::KeyHash::operator()(const Key& key) const {
  auto hash = static_cast<std::uint64_t>(key.number) * 0x9E3779B97F4A7C15ULL;
  hash ^= static_cast<std::uint64_t>(key.site) * 0xC2B2AE3D27D4EB4FULL;
  hash ^= static_cast<std::uint64_t>(key.kind) << 57;
  return static_cast<std::size_t>(hash ^ (hash >> 29));
}

void JournalTexts::forget() {
  texts_.clear();
  clients_.clear();
  places_.clear();
}

std::string_view JournalTexts::text(SiteId site, StringKind kind, std::int64_t number) {
  if (number == 0) return {};
  const auto [at, is_new] = texts_.try_emplace({site, static_cast<int>(kind), number});
  if (is_new) {
    auto rows = text_.query(site, static_cast<int>(kind), number);
    if (rows.next()) at->second = read_text(rows, 0, kind);
  }
  return at->second;
}

const Client& JournalTexts::client(SiteId site, std::int64_t number) {
  const auto [at, is_new] = clients_.try_emplace({site, 0, number});
  if (is_new) {
    auto rows = client_.query(site, number);
    if (rows.next()) at->second = read_client(rows);
  }
  return at->second;
}

const Place& JournalTexts::place(SiteId site, std::int64_t number) {
  const auto [at, is_new] = places_.try_emplace({site, 0, number});
  if (is_new) {
    auto rows = place_.query(site, number);
    if (rows.next()) at->second = read_place(rows);
  }
  return at->second;
}

std::string_view JournalTexts::language(std::int64_t number) {
  if (number == 0) return {};
  const auto [at, is_new] = languages_.try_emplace(number);
  if (is_new) at->second = language_code(number);
  return at->second;
}

void JournalTexts::read(const Rows& row, int column, SiteId site, std::size_t from,
                        std::span<std::string_view> texts) {
  auto to = texts.begin();
  for (std::size_t i = from; i < kOwnColumns.size(); ++i, ++column) {
    const auto number = row.int64(column);
    const auto& own = kOwnColumns[i];
    using enum query::ValueKind;
    switch (own.kind) {
      case kText: *to++ = text(site, field_of(own.column).kind, number); break;
      case kChannel: *to++ = channel_name(static_cast<Channel>(number)); break;
      case kScreen: *to++ = screen_name(static_cast<ScreenClass>(number)); break;
      case kLanguage: *to++ = language(number); break;
      case kClient:
        for (const auto& part : kClientParts) *to++ = client(site, number).*part.text;
        break;
      case kPlace:
        for (const auto& part : kPlaceParts) *to++ = place(site, number).*part.text;
        break;
    }
  }
}

}  // namespace analytics::sqlite
