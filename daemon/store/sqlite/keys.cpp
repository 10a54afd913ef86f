#include "daemon/store/sqlite/keys.h"

#include <algorithm>

#include "common/text.h"
#include "daemon/store/sqlite/changes.h"
#include "daemon/store/sqlite/rows.h"

namespace analytics::sqlite {
namespace {

constexpr char kListSeparator = '\n';  // a domain never has one

std::vector<std::string> split_list(const std::string& text) {
  std::vector<std::string> parts;
  for (const auto part : split(text, kListSeparator)) {
    if (!part.empty()) parts.emplace_back(part);
  }
  return parts;
}

}  // namespace

AccountId SqliteKeys::ensure_account(const std::string& name, UnixSeconds now) {
  Statement insert(connection_, "INSERT OR IGNORE INTO accounts(name, created_at) VALUES(?, ?)");
  insert.run(name, seconds(now));
  Statement find(connection_, "SELECT id FROM accounts WHERE name = ?");
  auto rows = find.query(name);
  rows.next();
  return rows.int64(0);
}

std::vector<ApiKey> SqliteKeys::load() {
  Statement select(connection_,
                   "SELECT k.id, k.account, a.name, k.hash, k.prefix, k.label, k.scopes, k.sites,"
                   " k.created_at, k.expires_at, k.last_used_at, k.rate_limit"
                   " FROM api_keys k JOIN accounts a ON a.id = k.account ORDER BY k.id");
  return read_all(select.query(), [](const Rows& row) {
    ApiKey key;
    key.id = row.int64(0);
    key.account = row.int64(1);
    key.account_name = row.text(2);
    const auto hash = row.blob(3);
    std::copy_n(hash.begin(), std::min(hash.size(), key.hash.size()), key.hash.begin());
    key.prefix = row.text(4);
    key.label = row.text(5);
    key.scopes = static_cast<std::uint32_t>(row.int64(6));
    key.sites = split_list(row.text(7));
    key.created_at = to_time(row.int64(8));
    key.expires_at = to_time(row.maybe_int64(9));
    key.last_used_at = to_time(row.maybe_int64(10));
    key.rate_limit = row.maybe_int64(11);
    return key;
  });
}

Result<ApiKey> SqliteKeys::create_key(const store::NewKey& key, UnixSeconds now) {
  return in_transaction(connection_, [&]() -> ApiKey {
    const auto account = ensure_account(key.account, now);
    Statement insert(connection_,
                     "INSERT INTO api_keys(account, hash, prefix, label, scopes, sites, created_at,"
                     " expires_at, rate_limit) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)");
    const auto expires = key.expires_at ? std::optional(seconds(*key.expires_at)) : std::nullopt;
    const auto sites = join(key.sites, std::string_view(&kListSeparator, 1));
    insert.run(account, Bytes(key.hash), key.prefix, key.label,
               static_cast<std::int64_t>(key.scopes), sites, seconds(now), expires, key.rate_limit);
    auto made = load().back();
    ++revision_;
    return made;
  });
}

Result<std::vector<ApiKey>> SqliteKeys::list_keys() {
  return guarded([&] { return load(); });
}

Status SqliteKeys::revoke_key(const std::string& id_or_prefix) {
  return in_transaction(connection_, [&] {
    Statement find(connection_, "SELECT id FROM api_keys WHERE id = ? OR prefix = ?");
    const auto found = read_all(find.query(parse_int(id_or_prefix).value_or(0), id_or_prefix),
                                [](const Rows& row) { return row.int64(0); });
    if (found.empty()) throw Error{ErrorCode::kKeyNotFound, "Unknown key.", {}};
    if (found.size() > 1) {
      throw Error{ErrorCode::kInvalidParameter, "Several keys have this prefix: use the id.", {}};
    }
    Statement remove(connection_, "DELETE FROM api_keys WHERE id = ?");
    remove.run(found.front());
    ++revision_;
  });
}

Status SqliteKeys::record_key_use(std::span<const store::KeyUse> uses) {
  return in_transaction(connection_, [&] {
    Statement set(connection_, "UPDATE api_keys SET last_used_at = ? WHERE id = ?");
    for (const auto& use : uses) set.run(seconds(use.at), use.key);
  });
}

}  // namespace analytics::sqlite
