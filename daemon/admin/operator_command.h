#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/run/result.h"
#include "common/text/time.h"

namespace analytics::sqlite {
class Registry;
}

namespace analytics::admin {

/// A command that the operator gives at a shell on the daemon's machine, such as `analyticsd keys
/// create`.
struct OperatorCommand {
  enum class Verb {
    kCreateKey,
    kListKeys,
    kRevokeKey,
    kRotateKey,
    kListAccounts,
    kRenameAccount,
    kDeleteAccount,
    kCreateSite,
    kMoveSite,
    kNoteBackup,  ///< Stores the time of a backup that was just made.
    // Only a running daemon can run the following verbs; run_command() rejects them.
    kShowMetrics,
    kAcceptRegistry,
    kRepairCluster,
  };
  Verb verb = Verb::kListKeys;
  bool is_json = false;  ///< True to format a list as JSON.
  /// Account of a new key; account to rename or delete; for kMoveSite, the new owner.
  std::string account;
  std::string site;                 ///< For kCreateSite and kMoveSite: the site's domain.
  std::string timezone;             ///< For kCreateSite: the site's time zone.
  std::string new_name;             ///< For kRenameAccount: the new name.
  std::string label;                ///< Note on a new key's purpose.
  std::vector<std::string> scopes;  ///< Scopes of a new key; empty for all scopes.
  std::vector<std::string> sites;   ///< Sites that a new key is limited to; empty for all sites.
  std::string expires;  ///< Lifetime of a new key, such as 90d; empty if it never expires.
  /// Requests per hour of a new key; 0 for no limit; nullopt for the setting rate_limit_per_hour.
  std::optional<std::int64_t> rate_limit;
  std::string key;      ///< Id or prefix of the key to revoke or rotate.
  std::string overlap;  ///< For kRotateKey: time for which the old key still works, such as 7d.
};

/// Runs the command and returns the text to print. Call it on the writer thread, or in the only
/// process that has the database open. Errors: kNotFound for a verb that needs a daemon;
/// kInvalidParameter; those of the store.
[[nodiscard]] Result<std::string> run_command(const OperatorCommand& command,
                                              sqlite::Registry& registry, UnixSeconds now);

/// Returns true if the command changes accounts, keys or sites, which all nodes of a cluster share.
[[nodiscard]] bool changes_registry(const OperatorCommand& command);

/// Describes the command for the daemon's log, without secrets: "keys create acme".
[[nodiscard]] std::string describe(const OperatorCommand& command);

/// Convert a command to a line for the control socket, and back. Errors: kMalformedBody.
[[nodiscard]] std::string to_line(const OperatorCommand& command);
[[nodiscard]] Result<OperatorCommand> parse_line(std::string_view line);

/// Convert a command's result, its output or error, to a line for the control socket, and back.
[[nodiscard]] std::string to_line(const Result<std::string>& outcome);
[[nodiscard]] Result<std::string> parse_outcome(std::string_view line);

}  // namespace analytics::admin
