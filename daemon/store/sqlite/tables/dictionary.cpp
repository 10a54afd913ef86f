#include "daemon/store/sqlite/tables/dictionary.h"

#include <algorithm>

#include "common/event/event_payload.h"
#include "common/wire/api_types.h"

namespace analytics::sqlite {
namespace {

constexpr std::size_t kGeneration = 100'000;  // maximum number of texts in young_; about 6 MiB

/// Returns the secret key of this file's text hashes. Creates it if the file is new.
HashKey load_hash_key(Connection& connection) {
  const HashKey key = random_hash_key();
  Statement insert(connection,
                   "INSERT OR IGNORE INTO meta(name, value) VALUES('dictionary_key', ?)");
  insert.run(Bytes(key));
  return read_hash_key(connection);
}

}  // namespace

Dictionary::Dictionary(Connection& connection, StringTable& table, const store::StoreLimits& limits)
    : table_(table),
      budget_(limits),
      hash_key_(load_hash_key(connection)),
      find_goal_(connection, "SELECT 1 FROM goals WHERE site = ? AND type = ? AND value = ?") {}

FieldNumbers Dictionary::numbers(const Event& event, const TextSource& source) {
  FieldNumbers numbers;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto& field = kEventFields[i];
    if (field.kind == StringKind::kClient) {
      numbers[i] = number_of_parts(event.site, field.kind, *event.client, source);
    } else if (field.kind == StringKind::kPlace) {
      numbers[i] = number_of_parts(event.site, field.kind, *event.place, source);
    } else if (const auto* text = text_in(event, field);
               text != nullptr && (field.is_required || !text->empty())) {
      numbers[i] = number(event.site, field.kind, *text, source);
    }
  }
  return numbers;
}

std::int64_t Dictionary::number(SiteId site, StringKind kind, std::string_view text,
                                const TextSource& source) {
  const auto key = key_of(site, kind, text);
  if (const auto known = find_cached(key)) return *known;
  return find_or_insert(key, text, source,
                        [&](std::int64_t id) { table_.insert(site, kind, id, key.hash, text); });
}

std::int64_t Dictionary::number(SiteId site, StringKind kind, std::string_view text) {
  const auto key = key_of(site, kind, text);
  if (const auto known = table_.find(site, kind, key.hash)) return *known;
  const auto id = table_.last(site, kind) + 1;
  table_.insert(site, kind, id, key.hash, text);
  return id;
}

template <typename Parts>
std::optional<std::int64_t> Dictionary::number_of_parts(SiteId site, StringKind kind,
                                                        const Parts& parts,
                                                        const TextSource& source) {
  const auto text = to_text(parts);
  if (text.empty()) return std::nullopt;
  const auto key = key_of(site, kind, text);
  if (const auto known = find_cached(key)) return known;
  return find_or_insert(key, text, source, [&](std::int64_t id) {
    table_.insert_parts(site, id, parts);
    table_.insert(site, kind, id, key.hash, {});
  });
}

Dictionary::Key Dictionary::key_of(SiteId site, StringKind kind, std::string_view text) const {
  return {site, kind, keyed_hash(hash_key_, text.data(), text.size())};
}

std::optional<std::int64_t> Dictionary::find_cached(const Key& key) {
  if (const auto found = young_.find(key); found != young_.end()) return found->second;
  const auto found = old_.find(key);
  if (found == old_.end()) return std::nullopt;
  const auto id = found->second;
  remember(key, id);
  return id;
}

/// Decides how to store a new text, and counts it against the sender's limits. Texts that must
/// never be lost ("(other)", pageview, engagement, names of goals) are not limited.
Dictionary::Entry Dictionary::entry_of(const Key& key, std::string_view text,
                                       const TextSource& source) {
  if (text == kOtherText || !source.is_limited) return Entry::kFree;
  if (budget_.spend(key.site, key.kind, text.size(), source)) return Entry::kPaid;
  if (key.kind != StringKind::kName) return Entry::kNone;
  const bool is_needed =
      text == kPageview || text == kEngagement ||
      find_goal_.query(key.site, static_cast<int>(GoalType::kEvent), text).next();
  return is_needed ? Entry::kFree : Entry::kNone;
}

template <typename Insert>
std::int64_t Dictionary::find_or_insert(const Key& key, std::string_view text,
                                        const TextSource& source, Insert insert) {
  if (const auto known = table_.find(key.site, key.kind, key.hash)) {
    remember(key, *known);
    return *known;
  }
  const auto entry = entry_of(key, text, source);
  fresh_.push_back({key, text.size(), source, entry});
  if (entry == Entry::kNone) return number(key.site, key.kind, kOtherText, source);
  const auto id = table_.last(key.site, key.kind) + 1;
  insert(id);
  remember(key, id);
  return id;
}

void Dictionary::remember(const Key& key, std::int64_t id) {
  if (young_.size() >= kGeneration) {
    old_ = std::move(young_);
    young_.clear();
  }
  young_.emplace(key, id);
}

void Dictionary::remove(SiteId site, const StringTable::Stored& text) {
  table_.remove(site, text);
  const Key key{site, text.kind, text.hash};
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
