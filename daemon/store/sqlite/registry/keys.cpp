#include "daemon/store/sqlite/registry/keys.h"

#include <algorithm>

#include "common/text/text.h"
#include "daemon/store/sqlite/db/changes.h"
#include "daemon/store/sqlite/db/rows.h"
#include "daemon/store/sqlite/registry/account_links.h"
#include "daemon/store/sqlite/registry/owned_rows.h"

namespace analytics::sqlite {
namespace {

constexpr char kListSeparator = '\n';  // separates the domains of an API key; no domain contains it

std::vector<std::string> split_list(const std::string& text) {
  std::vector<std::string> parts;
  for (const auto part : split(text, kListSeparator)) {
    if (!part.empty()) parts.emplace_back(part);
  }
  return parts;
}

constexpr char kSelectKeys[] =
    "SELECT k.id, k.account, a.name, k.hash, k.prefix, k.label, k.scopes, k.sites, k.created_at,"
    " k.expires_at, k.last_used_at, k.rate_limit"
    " FROM api_keys k JOIN accounts a ON a.id = k.account";

ApiKey read_key(const Rows& row) {
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
}

}  // namespace

AccountId Keys::ensure_account(const std::string& name, UnixSeconds now) {
  Statement insert(connection_, "INSERT OR IGNORE INTO accounts(name, created_at) VALUES(?, ?)");
  insert.run(name, seconds(now));
  return find_account(name).value();
}

std::vector<ApiKey> Keys::load() {
  Statement select(connection_, std::string(kSelectKeys) + " ORDER BY k.id");
  return read_all(select.query(), read_key);
}

void Keys::add_to(store::Directory& all, const store::ChangedOwners& of) {
  const OwnedReading read{connection_, of.are_all, of.accounts};
  read(kSelectKeys, "k.account", all.keys, read_key);
}

Result<ApiKey> Keys::create_key(const store::NewKey& key, UnixSeconds now) {
  return in_transaction(connection_, [&]() -> ApiKey {
    const auto account = ensure_account(key.account, now);
    Statement insert(connection_,
                     "INSERT INTO api_keys(account, hash, prefix, label, scopes, sites, created_at,"
                     " expires_at, rate_limit) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)");
    const auto expires = key.expires_at ? std::optional(seconds(*key.expires_at)) : std::nullopt;
    const auto sites = join(key.sites, std::string_view(&kListSeparator, 1));
    insert.run(account, Bytes(key.hash), key.prefix, key.label,
               static_cast<std::int64_t>(key.scopes), sites, seconds(now), expires, key.rate_limit);
    changed_.accounts.insert(account);
    return load().back();
  });
}

Result<std::vector<ApiKey>> Keys::list_keys() {
  return guarded([&] { return load(); });
}

Keys::KnownKey Keys::known_key(const std::string& id_or_prefix) {
  Statement find(connection_, "SELECT id, account FROM api_keys WHERE id = ? OR prefix = ?");
  const auto found =
      read_all(find.query(parse_int(id_or_prefix).value_or(0), id_or_prefix), [](const Rows& row) {
        return KnownKey{row.int64(0), row.int64(1)};
      });
  if (found.empty()) throw Error{ErrorCode::kKeyNotFound, "Unknown key.", {}};
  if (found.size() > 1) {
    throw Error{ErrorCode::kInvalidParameter, "Several keys have this prefix: use the id.", {}};
  }
  return found.front();
}

Status Keys::revoke_key(const std::string& id_or_prefix) {
  return in_transaction(connection_, [&] {
    const auto [key, account] = known_key(id_or_prefix);
    Statement remove(connection_, "DELETE FROM api_keys WHERE id = ?");
    remove.run(key);
    changed_.accounts.insert(account);
  });
}

Result<ApiKey> Keys::rotate_key(const std::string& id_or_prefix, const store::KeySecret& secret,
                                UnixSeconds old_expires, UnixSeconds now) {
  return in_transaction(connection_, [&]() -> ApiKey {
    const auto [old, account] = known_key(id_or_prefix);
    Statement insert(connection_,
                     "INSERT INTO api_keys(account, hash, prefix, label, scopes, sites, created_at,"
                     " expires_at, rate_limit) SELECT account, ?2, ?3, label, scopes, sites, ?4,"
                     " ?4 + expires_at - created_at, rate_limit FROM api_keys WHERE id = ?1");
    insert.run(old, Bytes(secret.hash), secret.prefix, seconds(now));
    Statement expire(connection_,
                     "UPDATE api_keys SET expires_at = min(coalesce(expires_at, ?2), ?2)"
                     " WHERE id = ?1");
    expire.run(old, seconds(old_expires));
    changed_.accounts.insert(account);
    return load().back();
  });
}

Status Keys::record_key_use(std::span<const store::KeyUse> uses) {
  return in_transaction(connection_, [&] {
    Statement set(connection_, "UPDATE api_keys SET last_used_at = ? WHERE id = ?");
    for (const auto& use : uses) set.run(seconds(use.at), use.key);
  });
}

std::optional<AccountId> Keys::find_account(const std::string& name) {
  Statement find(connection_, "SELECT id FROM accounts WHERE name = ?");
  auto rows = find.query(name);
  return rows.next() ? std::optional(rows.int64(0)) : std::nullopt;
}

AccountId Keys::known_account(const std::string& name) {
  const auto account = find_account(name);
  if (!account) throw Error{ErrorCode::kNotFound, "Unknown account.", {}};
  return *account;
}

Result<std::vector<store::Account>> Keys::list_accounts() {
  return guarded([&] {
    Statement select(connection_,
                     "SELECT name, (SELECT count(*) FROM sites s WHERE s.account = a.id),"
                     " (SELECT count(*) FROM api_keys k WHERE k.account = a.id), created_at"
                     " FROM accounts a ORDER BY name");
    return read_all(select.query(), [](const Rows& row) {
      return store::Account{row.text(0), row.int64(1), row.int64(2), to_time(row.int64(3))};
    });
  });
}

Status Keys::rename_account(const std::string& name, const std::string& new_name) {
  return in_transaction(connection_, [&] {
    const auto account = known_account(name);
    if (find_account(new_name).value_or(account) != account) {
      throw Error{ErrorCode::kInvalidParameter, "Another account has this name.", {}};
    }
    Statement rename(connection_, "UPDATE accounts SET name = ? WHERE id = ?");
    rename.run(new_name, account);
    changed_.accounts.insert(account);
  });
}

Status Keys::delete_account(const std::string& name) {
  return in_transaction(connection_, [&] {
    const auto account = known_account(name);
    Statement count(connection_, "SELECT count(*) FROM sites WHERE account = ?");
    auto rows = count.query(account);
    if (rows.next() && rows.int64(0) > 0) {
      throw Error{ErrorCode::kInvalidParameter,
                  "The account has " + std::to_string(rows.int64(0)) + " sites: delete them first.",
                  {}};
    }
    AccountLinks::forget_account(connection_, account);
    for (const char* sql :
         {"DELETE FROM api_keys WHERE account = ?", "DELETE FROM accounts WHERE id = ?"}) {
      Statement remove(connection_, sql);
      remove.run(account);
    }
    changed_.accounts.insert(account);
  });
}

}  // namespace analytics::sqlite
