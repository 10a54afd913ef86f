#include "daemon/store/sqlite/dictionary.h"

#include <algorithm>

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
  if (text != kOther && over_limit(key.site, today)) return id(key.site, key.kind, kOther, today);
  const auto id = next_id(key.site, key.kind);
  insert_.run(key.site, kind, id, hash, text);
  fresh_.push_back(key);
  ++new_today_[key.site];
  remember(key, id);
  return id;
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
