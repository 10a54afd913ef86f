#include "daemon/admin/keys.h"

#include <nlohmann/json.hpp>

#include "common/json.h"
#include "common/text.h"

namespace analytics::admin {
namespace {

constexpr std::size_t kMaxAccount = 200;  // bytes
constexpr std::int64_t kMaxRateLimit = 1'000'000'000;

tl::unexpected<Error> refuse(std::string message) {
  return fail(ErrorCode::kInvalidParameter, std::move(message));
}

Result<std::string> create(const KeyCommand& command, store::Keys& store, UnixSeconds now) {
  store::NewKey wanted;
  wanted.account = trim(command.account);
  wanted.label = trim(command.label);
  if (wanted.account.empty()) return refuse("--account is required");
  if (wanted.account.size() > kMaxAccount || has_control(wanted.account))
    return refuse("--account must be a name of at most " + std::to_string(kMaxAccount) +
                  " bytes without control characters");
  if (has_control(wanted.label)) return refuse("--label has control characters");
  if (!command.scopes.empty()) wanted.scopes = 0;
  for (const auto& name : command.scopes) {
    const auto scope = parse_scope(name);
    if (!scope)
      return refuse("unknown scope " + visible(name) + "; there are " + scope_list(kAllScopes));
    wanted.scopes |= static_cast<std::uint32_t>(*scope);
  }
  for (const auto& name : command.sites) {
    auto domain = normalise_domain(name);
    if (!domain) return fail(domain.error());
    wanted.sites.push_back(std::move(*domain));
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
  const auto key = make_api_key();
  wanted.hash = sha256(key);
  wanted.prefix = key_prefix(key);
  const auto made = store.create_key(wanted, now);
  if (!made) return fail(made.error());
  return key + "\n";
}

std::string or_dash(const std::string& text) { return text.empty() ? "-" : text; }
std::string or_dash(const std::optional<UnixSeconds>& time) {
  return time ? format_rfc3339(*time) : "-";
}

Result<std::string> list(store::Keys& store) {
  const auto keys = store.list_keys();
  if (!keys) return fail(keys.error());
  std::string text =
      "id\tprefix\taccount\tlabel\tscopes\tsites\tcreated\texpires\tlast used\trate limit\n";
  for (const auto& key : *keys) {
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

}  // namespace

Result<std::string> run_key_command(const KeyCommand& command, store::Keys& store,
                                    UnixSeconds now) {
  switch (command.verb) {
    case KeyCommand::Verb::kCreate: return create(command, store, now);
    case KeyCommand::Verb::kList: return list(store);
    case KeyCommand::Verb::kRevoke: {
      const auto revoked = store.revoke_key(command.key);
      if (!revoked) return fail(revoked.error());
      return std::string();
    }
  }
  return refuse("unknown command");
}

std::string to_line(const KeyCommand& command) {
  const nlohmann::json line = {{"verb", static_cast<int>(command.verb)},
                               {"account", command.account},
                               {"label", command.label},
                               {"scopes", command.scopes},
                               {"sites", command.sites},
                               {"expires", command.expires},
                               {"rate_limit", command.rate_limit.value_or(-1)},
                               {"key", command.key}};
  return line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

Result<KeyCommand> parse_line(std::string_view text) {
  const auto line = json::parse_document(text);
  if (!line || !line->is_object()) return fail(ErrorCode::kMalformedBody, "not a command");
  try {
    KeyCommand command;
    const int verb = line->value("verb", -1);
    if (verb < 0 || verb > static_cast<int>(KeyCommand::Verb::kRevoke)) {
      return fail(ErrorCode::kMalformedBody, "not a command");
    }
    command.verb = static_cast<KeyCommand::Verb>(verb);
    command.account = line->value("account", "");
    command.label = line->value("label", "");
    command.scopes = line->value("scopes", std::vector<std::string>());
    command.sites = line->value("sites", std::vector<std::string>());
    command.expires = line->value("expires", "");
    const auto rate_limit = line->value("rate_limit", std::int64_t{-1});
    if (rate_limit >= 0) command.rate_limit = rate_limit;
    command.key = line->value("key", "");
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
