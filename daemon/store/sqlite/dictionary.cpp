#include "daemon/store/sqlite/dictionary.h"

#include <algorithm>

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

Dictionary::Dictionary(Connection& connection, std::int64_t max_new_per_day)
    : max_new_per_day_(max_new_per_day),
      hash_key_(load_hash_key(connection)),
      find_(connection, "SELECT id FROM strings WHERE site = ? AND kind = ? AND hash = ?"),
      insert_(connection, "INSERT INTO strings(site, kind, id, hash, value) VALUES(?, ?, ?, ?, ?)"),
      insert_client_(connection,
                     "INSERT INTO clients(site, id, device, browser, browser_version, os,"
                     " os_version) VALUES(?, ?, ?, ?, ?, ?, ?)"),
      insert_place_(connection,
                    "INSERT INTO places(site, id, country, region, city) VALUES(?, ?, ?, ?, ?)"),
      last_(connection, "SELECT max(id) FROM strings WHERE site = ? AND kind = ?") {}

std::int64_t Dictionary::id(SiteId site, StringKind kind, std::string_view text, Days today) {
  const Key key{site, kind, keyed_hash(hash_key_, text.data(), text.size())};
  if (const auto found = young_.find(key); found != young_.end()) return found->second;
  if (const auto found = old_.find(key); found != old_.end()) {
    const auto id = found->second;
    remember(key, id);
    return id;
  }
  return find_or_insert(key, text, today);
}

std::optional<std::int64_t> Dictionary::maybe_id(SiteId site, StringKind kind,
                                                 std::string_view text, Days today) {
  if (text.empty()) return std::nullopt;
  return id(site, kind, text, today);
}

std::int64_t Dictionary::find_or_insert(const Key& key, std::string_view text, Days today) {
  const auto kind = static_cast<int>(key.kind);
  const auto hash = static_cast<std::int64_t>(key.hash);
  {
    auto rows = find_.query(key.site, kind, hash);
    if (rows.next()) {
      remember(key, rows.int64(0));
      return rows.int64(0);
    }
  }
  const bool has_meaning =
      key.kind == StringKind::kName && (text == kPageview || text == kEngagement);
  if (text != kOther && !has_meaning && over_limit(key.site, today))
    return id(key.site, key.kind, kOther, today);
  const auto id = next_id(key.site, key.kind);
  insert(key, id, text);
  fresh_.push_back(key);
  ++new_today_[key.site];
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

bool Dictionary::over_limit(SiteId site, Days today) {
  if (today != today_) {
    today_ = today;
    new_today_.clear();
  }
  const auto found = new_today_.find(site);
  return found != new_today_.end() && found->second >= max_new_per_day_;
}

void Dictionary::remember(const Key& key, std::int64_t id) {
  if (young_.size() >= kGeneration) {
    old_ = std::move(young_);
    young_.clear();
  }
  young_.emplace(key, id);
}

void Dictionary::committed() { fresh_.clear(); }

void Dictionary::rolled_back() {
  for (const auto& key : fresh_) {
    young_.erase(key);
    old_.erase(key);
    --new_today_[key.site];
  }
  fresh_.clear();
}

}  // namespace analytics::sqlite
