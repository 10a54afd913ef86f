#include "daemon/admin/operator_command.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "common/json/json.h"
#include "common/text/text.h"
#include "daemon/store/sqlite/registry/registry.h"

namespace analytics::admin {
namespace {

constexpr std::size_t kMaxAccount = 200;  // maximum size of an account's name, in bytes
constexpr std::int64_t kMaxRateLimit = 1'000'000'000;

tl::unexpected<Error> refuse(std::string message) {
  return fail(ErrorCode::kInvalidParameter, std::move(message));
}

Result<std::string> account_name(std::string_view text) {
  std::string name(trim(text));
  if (name.empty() || name.size() > kMaxAccount || has_control(name)) {
    return refuse("an account has a name of at most " + std::to_string(kMaxAccount) +
                  " bytes without control characters");
  }
  return name;
}

/// A new random API key, its hash, which is stored, and its prefix, which lists of keys show.
struct Secret {
  std::string key = make_api_key();
  Sha256 hash = sha256(key);
  std::string prefix{key_prefix(key)};
};

Result<std::string> create(const OperatorCommand& command, sqlite::Keys& store, UnixSeconds now) {
  store::NewKey wanted;
  wanted.account = TRY(account_name(command.account));
  wanted.label = trim(command.label);
  if (has_control(wanted.label)) return refuse("--label has control characters");
  if (!command.scopes.empty()) wanted.scopes = 0;
  for (const auto& name : command.scopes) {
    const auto scope = parse_scope(name);
    if (!scope)
      return refuse("unknown scope " + visible(name) + "; there are " + scope_list(kAllScopes));
    wanted.scopes |= static_cast<std::uint32_t>(*scope);
  }
  for (const auto& name : command.sites) {
    auto domain = TRY(normalise_domain(name));
    wanted.sites.push_back(std::move(domain));
  }
  if (!command.expires.empty()) {
    const auto life = parse_duration(command.expires);
    if (!life || life->count() < 1'000) return refuse("--expires takes a duration such as 90d");
    wanted.expires_at = now + std::chrono::floor<std::chrono::seconds>(*life);
  }
  if (command.rate_limit && (*command.rate_limit < 0 || *command.rate_limit > kMaxRateLimit)) {
    return refuse("--rate-limit takes a number from 0 to " + std::to_string(kMaxRateLimit));
  }
  wanted.rate_limit = command.rate_limit;
  const Secret secret;
  wanted.hash = secret.hash;
  wanted.prefix = secret.prefix;
  TRY(store.create_key(wanted, now));
  return secret.key + "\n";
}

Result<std::string> rotate(const OperatorCommand& command, sqlite::Keys& store, UnixSeconds now) {
  const auto overlap = parse_duration(command.overlap);
  if (!overlap) return refuse("--overlap takes a duration such as 7d");
  const Secret secret;
  const auto until = now + std::chrono::floor<std::chrono::seconds>(*overlap);
  TRY(store.rotate_key(command.key, {secret.hash, secret.prefix}, until, now));
  return secret.key + "\n";
}

std::string or_dash(const std::string& text) { return text.empty() ? "-" : text; }
std::string or_dash(const std::optional<UnixSeconds>& time) {
  return time ? format_rfc3339(*time) : "-";
}

using Json = nlohmann::ordered_json;

Json or_null(const std::optional<UnixSeconds>& time) {
  return time ? Json(format_rfc3339(*time)) : Json();
}

std::string dump(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string keys_as_json(const std::vector<ApiKey>& keys) {
  auto list = Json::array();
  for (const auto& key : keys) {
    list.push_back({{"id", key.id},
                    {"prefix", key.prefix},
                    {"account", key.account_name},
                    {"label", key.label},
                    {"scopes", split(scope_list(key.scopes), ',')},
                    {"sites", key.sites},
                    {"created_at", format_rfc3339(key.created_at)},
                    {"expires_at", or_null(key.expires_at)},
                    {"last_used_at", or_null(key.last_used_at)},
                    {"rate_limit", key.rate_limit ? Json(*key.rate_limit) : Json()}});
  }
  return dump(list);
}

Result<std::string> list_keys(sqlite::Keys& store, bool is_json) {
  const auto keys = TRY(store.list_keys());
  if (is_json) return keys_as_json(keys);
  std::string text =
      "id\tprefix\taccount\tlabel\tscopes\tsites\tcreated\texpires\tlast used\trate limit\n";
  for (const auto& key : keys) {
    text +=
        join({std::to_string(key.id), key.prefix, visible(key.account_name),
              or_dash(visible(key.label)), scope_list(key.scopes), or_dash(join(key.sites, ",")),
              format_rfc3339(key.created_at), or_dash(key.expires_at), or_dash(key.last_used_at),
              key.rate_limit ? std::to_string(*key.rate_limit) : "-"},
             "\t") +
        "\n";
  }
  return text;
}

Result<std::string> list_accounts(sqlite::Keys& store, bool is_json) {
  const auto accounts = TRY(store.list_accounts());
  auto list = Json::array();
  std::string text = "name\tsites\tkeys\tcreated\n";
  for (const auto& account : accounts) {
    const auto created = format_rfc3339(account.created_at);
    list.push_back({{"name", account.name},
                    {"sites", account.sites},
                    {"keys", account.keys},
                    {"created_at", created}});
    text += join({visible(account.name), std::to_string(account.sites),
                  std::to_string(account.keys), created},
                 "\t") +
            "\n";
  }
  return is_json ? dump(list) : text;
}

/// Returns the output of a command that prints nothing: an empty text, or the error.
Result<std::string> silent(const Status& done) {
  if (!done) return fail(done.error());
  return std::string();
}

Result<std::string> rename_account(const OperatorCommand& command, sqlite::Keys& store) {
  const auto name = TRY(account_name(command.new_name));
  return silent(store.rename_account(command.account, name));
}

/// Creates a site of an account that has a key. A site that the account already has stays as it is.
Result<std::string> create_site(const OperatorCommand& command, sqlite::Registry& registry,
                                UnixSeconds now) {
  const auto domain = TRY(normalise_domain(command.site));
  if (!is_time_zone(command.timezone))
    return refuse("unknown time zone " + visible(command.timezone));
  const auto account = TRY(account_name(command.account));
  const auto keys = TRY(registry.keys().list_keys());
  const auto key = std::find_if(keys.begin(), keys.end(),
                                [&](const ApiKey& each) { return each.account_name == account; });
  if (key == keys.end()) return refuse("the account " + visible(account) + " has no key");
  const auto directory = TRY(registry.directory());
  const bool exists = std::any_of(
      directory.sites.begin(), directory.sites.end(),
      [&](const Site& site) { return site.account == key->account && site.domain == domain; });
  if (exists) return "unchanged " + domain + "\n";
  TRY(registry.sites().create_site(key->account, domain, command.timezone, now));
  return "created " + domain + "\n";
}

Result<std::string> move_site(const OperatorCommand& command, sqlite::Sites& store) {
  const auto domain = TRY(normalise_domain(command.site));
  return silent(store.move_site(domain, command.account));
}

}  // namespace

Result<std::string> run_command(const OperatorCommand& command, sqlite::Registry& registry,
                                UnixSeconds now) {
  using Verb = OperatorCommand::Verb;
  auto& store = registry.keys();
  switch (command.verb) {
    case Verb::kCreateKey: return create(command, store, now);
    case Verb::kListKeys: return list_keys(store, command.is_json);
    case Verb::kRevokeKey: return silent(store.revoke_key(command.key));
    case Verb::kRotateKey: return rotate(command, store, now);
    case Verb::kListAccounts: return list_accounts(store, command.is_json);
    case Verb::kRenameAccount: return rename_account(command, store);
    case Verb::kDeleteAccount: return silent(store.delete_account(command.account));
    case Verb::kCreateSite: return create_site(command, registry, now);
    case Verb::kMoveSite: return move_site(command, registry.sites());
    case Verb::kNoteBackup: return silent(registry.note_backup(now));
    case Verb::kShowMetrics:
    case Verb::kAcceptRegistry:
    case Verb::kRepairCluster: return fail(ErrorCode::kNotFound, "no daemon runs");
  }
  return refuse("unknown command");
}

bool changes_registry(const OperatorCommand& command) {
  using Verb = OperatorCommand::Verb;
  switch (command.verb) {
    case Verb::kCreateKey:
    case Verb::kRevokeKey:
    case Verb::kRotateKey:
    case Verb::kRenameAccount:
    case Verb::kDeleteAccount:
    case Verb::kCreateSite:
    case Verb::kMoveSite: return true;
    case Verb::kListKeys:
    case Verb::kListAccounts:
    case Verb::kNoteBackup:
    case Verb::kShowMetrics:
    case Verb::kAcceptRegistry:
    case Verb::kRepairCluster: break;
  }
  return false;
}

std::string describe(const OperatorCommand& command) {
  using Verb = OperatorCommand::Verb;
  switch (command.verb) {
    case Verb::kCreateKey: return "keys create " + command.account;
    case Verb::kListKeys: return "keys list";
    case Verb::kRevokeKey: return "keys revoke " + command.key;
    case Verb::kRotateKey: return "keys rotate " + command.key;
    case Verb::kListAccounts: return "accounts list";
    case Verb::kRenameAccount: return "accounts rename " + command.account + " " + command.new_name;
    case Verb::kDeleteAccount: return "accounts delete " + command.account;
    case Verb::kCreateSite: return "sites create " + command.site + " " + command.account;
    case Verb::kMoveSite: return "sites move " + command.site + " " + command.account;
    case Verb::kNoteBackup: return "backup";
    case Verb::kShowMetrics: return "metrics";
    case Verb::kAcceptRegistry: return "cluster accept-registry";
    case Verb::kRepairCluster: return "cluster check --repair";
  }
  return "unknown";
}

std::string to_line(const OperatorCommand& command) {
  const nlohmann::json line = {{"verb", static_cast<int>(command.verb)},
                               {"json", command.is_json},
                               {"account", command.account},
                               {"site", command.site},
                               {"timezone", command.timezone},
                               {"new_name", command.new_name},
                               {"label", command.label},
                               {"scopes", command.scopes},
                               {"sites", command.sites},
                               {"expires", command.expires},
                               {"rate_limit", command.rate_limit.value_or(-1)},
                               {"key", command.key},
                               {"overlap", command.overlap}};
  return line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

Result<OperatorCommand> parse_line(std::string_view text) {
  const auto line = json::parse_document(text);
  if (!line || !line->is_object()) return fail(ErrorCode::kMalformedBody, "not a command");
  try {
    OperatorCommand command;
    const int verb = line->value("verb", -1);
    if (verb < 0 || verb > static_cast<int>(OperatorCommand::Verb::kRepairCluster)) {
      return fail(ErrorCode::kMalformedBody, "not a command");
    }
    command.verb = static_cast<OperatorCommand::Verb>(verb);
    command.is_json = line->value("json", false);
    command.account = line->value("account", "");
    command.site = line->value("site", "");
    command.timezone = line->value("timezone", "");
    command.new_name = line->value("new_name", "");
    command.label = line->value("label", "");
    command.scopes = line->value("scopes", std::vector<std::string>());
    command.sites = line->value("sites", std::vector<std::string>());
    command.expires = line->value("expires", "");
    const auto rate_limit = line->value("rate_limit", std::int64_t{-1});
    if (rate_limit >= 0) command.rate_limit = rate_limit;
    command.key = line->value("key", "");
    command.overlap = line->value("overlap", "");
    return command;
  } catch (const nlohmann::json::exception&) {
    return fail(ErrorCode::kMalformedBody, "not a command");
  }
}

std::string to_line(const Result<std::string>& outcome) {
  nlohmann::json line;
  if (outcome) {
    line["output"] = *outcome;
  } else {
    line["code"] = static_cast<int>(outcome.error().code);
    line["error"] = outcome.error().message;
  }
  return line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

Result<std::string> parse_outcome(std::string_view text) {
  const auto line = json::parse_document(text);
  if (!line || !line->is_object())
    return fail(ErrorCode::kInternal, "the daemon's answer was cut short");
  if (line->contains("output")) return (*line)["output"].get<std::string>();
  return fail(static_cast<ErrorCode>(line->value("code", static_cast<int>(ErrorCode::kInternal))),
              line->value("error", "unknown error"));
}

}  // namespace analytics::admin
