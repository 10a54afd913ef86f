#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/run/result.h"
#include "common/text/time.h"
#include "daemon/store/registry.h"

namespace analytics::admin {

/// An operator's command on keys, accounts, owners of sites, backups or the cluster.
struct OperatorCommand {
  enum class Verb {
    kCreateKey,
    kListKeys,
    kRevokeKey,
    kRotateKey,
    kListAccounts,
    kRenameAccount,
    kDeleteAccount,
    kMoveSite,
    kNoteBackup,
    // Only a running daemon can run the following; run_command() rejects them:
    kShowMetrics,
    kAcceptRegistry,
    kRepairCluster,
  };
  Verb verb = Verb::kListKeys;
  bool is_json = false;  ///< Formats a list as JSON.
  std::string account;  ///< Account to create, change or list; for kMoveSite, the site's new owner.
  std::string site;     ///< For kMoveSite: the site's domain.
  std::string new_name;  ///< For kRenameAccount: the new name.
  std::string label;
  std::vector<std::string> scopes;  ///< Scopes of a new key; empty for all scopes.
  std::vector<std::string> sites;   ///< Sites that a new key is limited to; empty for all.
  std::string expires;              ///< Lifetime of the key, such as 90d; empty: it never expires.
  std::optional<std::int64_t> rate_limit;  ///< Requests per hour; nullopt for the daemon's setting.
  std::string key;                         ///< Id or prefix of the key to revoke or rotate.
  std::string overlap;  ///< For kRotateKey: time for which the old key still works, such as 7d.
};

/// Runs the command and returns its output. Call it on the writer thread, or in the only process
/// that has the database open.
[[nodiscard]] Result<std::string> run_command(const OperatorCommand& command,
                                              store::Registry& registry, UnixSeconds now);

/// Returns true if the command changes accounts, keys or sites, which all nodes of a cluster share.
[[nodiscard]] bool changes_registry(const OperatorCommand& command);

/// Returns the command without secrets, for the log: "keys create acme".
[[nodiscard]] std::string describe(const OperatorCommand& command);

/// Converts a command to a line for the control socket, and back. Errors: kMalformedBody.
[[nodiscard]] std::string to_line(const OperatorCommand& command);
[[nodiscard]] Result<OperatorCommand> parse_line(std::string_view line);

/// Converts a command's outcome to a line for the control socket, and back.
[[nodiscard]] std::string to_line(const Result<std::string>& outcome);
[[nodiscard]] Result<std::string> parse_outcome(std::string_view line);

}  // namespace analytics::admin
