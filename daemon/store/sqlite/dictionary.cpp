#include "daemon/store/sqlite/dictionary.h"

#include <algorithm>

#include "common/api_types.h"
#include "common/event_payload.h"
#include "daemon/model/client.h"

namespace analytics::sqlite {
namespace {

constexpr std::size_t kGeneration = 100'000;  // entries; about 6 MiB
constexpr std::string_view kOther = "(other)";

/// The secret of this file's hashes, made with the file.
HashKey load_hash_key(Connection& connection) {
  HashKey key = random_hash_key();
  Statement insert(connection,
                   "INSERT OR IGNORE INTO meta(name, value) VALUES('dictionary_key', ?)");
  insert.run(Bytes(key));
  Statement select(connection, "SELECT value FROM meta WHERE name = 'dictionary_key'");
  auto rows = select.query();
  if (rows.next() && rows.blob(0).size() == key.size()) {
    std::copy_n(rows.blob(0).begin(), key.size(), key.begin());
  }
  return key;
}

}  // namespace

Dictionary::Dictionary(Connection& connection, const store::StoreLimits& limits)
    : budget_(limits),
      hash_key_(load_hash_key(connection)),
      find_(connection, "SELECT id FROM strings WHERE site = ? AND kind = ? AND hash = ?"),
      insert_(connection, "INSERT INTO strings(site, kind, id, hash, value) VALUES(?, ?, ?, ?, ?)"),
      insert_client_(connection,
                     "INSERT INTO clients(site, id, device, browser, browser_version, os,"
                     " os_version) VALUES(?, ?, ?, ?, ?, ?, ?)"),
      insert_place_(connection,
                    "INSERT INTO places(site, id, country, region, city) VALUES(?, ?, ?, ?, ?)"),
      last_(connection, "SELECT max(id) FROM strings WHERE site = ? AND kind = ?"),
      find_goal_(connection, "SELECT 1 FROM goals WHERE site = ? AND type = ? AND value = ?") {}

std::int64_t Dictionary::id(SiteId site, StringKind kind, std::string_view text,
                            const TextSource& source) {
  const Key key{site, kind, keyed_hash(hash_key_, text.data(), text.size())};
  if (const auto found = young_.find(key); found != young_.end()) return found->second;
  if (const auto found = old_.find(key); found != old_.end()) {
    const auto id = found->second;
    remember(key, id);
    return id;
  }
  return find_or_insert(key, text, source);
}

std::optional<std::int64_t> Dictionary::maybe_id(SiteId site, StringKind kind,
                                                 std::string_view text, const TextSource& source) {
  if (text.empty()) return std::nullopt;
  return id(site, kind, text, source);
}

/// Spends the budget for a new text; what must never be lost goes in without.
Dictionary::Entry Dictionary::entry_of(const Key& key, std::string_view text,
                                       const TextSource& source) {
  if (text == kOther || !source.is_limited) return Entry::kFree;
  if (budget_.spend(key.site, key.kind, text.size(), source)) return Entry::kPaid;
  if (key.kind != StringKind::kName) return Entry::kNone;
  const bool is_needed =
      text == kPageview || text == kEngagement ||
      find_goal_.query(key.site, static_cast<int>(GoalType::kEvent), text).next();
  return is_needed ? Entry::kFree : Entry::kNone;
}

std::int64_t Dictionary::find_or_insert(const Key& key, std::string_view text,
                                        const TextSource& source) {
  const auto kind = static_cast<int>(key.kind);
  const auto hash = static_cast<std::int64_t>(key.hash);
  {
    auto rows = find_.query(key.site, kind, hash);
    if (rows.next()) {
      remember(key, rows.int64(0));
      return rows.int64(0);
    }
  }
  const auto entry = entry_of(key, text, source);
  fresh_.push_back({key, text.size(), source, entry});
  if (entry == Entry::kNone) return id(key.site, key.kind, kOther, source);
  const auto id = next_id(key.site, key.kind);
  insert(key, id, text);
  remember(key, id);
  return id;
}

void Dictionary::insert(const Key& key, std::int64_t id, std::string_view text) {
  const auto part = [](const std::string& value) {
    return value.empty() ? std::nullopt : std::optional<std::string_view>(value);
  };
  const bool is_other = text == kOther;  // what was too much: nothing is known of it
  if (key.kind == StringKind::kClient && !is_other) {
    const auto client = client_of(text);
    insert_client_.run(key.site, id, part(client.device), part(client.browser),
                       part(client.browser_version), part(client.os), part(client.os_version));
    text = {};
  } else if (key.kind == StringKind::kPlace && !is_other) {
    const auto place = place_of(text);
    insert_place_.run(key.site, id, part(place.country), part(place.region), part(place.city));
    text = {};
  }
  insert_.run(key.site, static_cast<int>(key.kind), id, static_cast<std::int64_t>(key.hash), text);
}

std::int64_t Dictionary::next_id(SiteId site, StringKind kind) {
  auto rows = last_.query(site, static_cast<int>(kind));
  return (rows.next() ? rows.int64(0) : 0) + 1;
}

void Dictionary::remember(const Key& key, std::int64_t id) {
  if (young_.size() >= kGeneration) {
    old_ = std::move(young_);
    young_.clear();
  }
  young_.emplace(key, id);
}

void Dictionary::forget(SiteId site, StringKind kind, std::uint64_t hash) {
  const Key key{site, kind, hash};
  young_.erase(key);
  old_.erase(key);
}

void Dictionary::committed() {
  for (const auto& [key, bytes, source, entry] : fresh_) {
    if (entry == Entry::kNone) budget_.replaced(key.site, key.kind, source);
  }
  fresh_.clear();
}

void Dictionary::rolled_back() {
  for (const auto& [key, bytes, source, entry] : fresh_) {
    young_.erase(key);
    old_.erase(key);
    if (entry == Entry::kPaid) budget_.refund(key.site, key.kind, bytes, source);
  }
  fresh_.clear();
}

}  // namespace analytics::sqlite
