#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/result.h"
#include "common/time.h"
#include "daemon/store/registry.h"

namespace analytics::admin {

/// A command of the machine's operator, about keys, accounts or who has a site.
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
    // The running daemon answers these, and run_command() does not:
    kShowMetrics,
    kAcceptRegistry,
    kRepairCluster,
  };
  Verb verb = Verb::kListKeys;
  bool is_json = false;  ///< The form of a list.
  std::string account;   ///< For kMoveSite: the one to have it.
  std::string site;      ///< For kMoveSite.
  std::string new_name;  ///< For kRenameAccount.
  std::string label;
  std::vector<std::string> scopes;         ///< Empty: all.
  std::vector<std::string> sites;          ///< Empty: not limited.
  std::string expires;                     ///< A duration such as 90d; empty: never.
  std::optional<std::int64_t> rate_limit;  ///< Requests per hour; nothing: the daemon's setting.
  std::string key;                         ///< The id or prefix of the key to revoke or rotate.
  std::string overlap;  ///< For kRotateKey: how long the old key still works, such as 7d.
};

/// Runs the command and returns its output. Call it on the writer thread, or in the only process
/// that has the file open.
[[nodiscard]] Result<std::string> run_command(const OperatorCommand& command,
                                              store::Registry& registry, UnixSeconds now);

/// True for what changes accounts, keys or sites, which all nodes of a cluster share.
[[nodiscard]] bool changes_registry(const OperatorCommand& command);

/// Returns what the log says of the command: "keys create acme". It holds no secrets.
[[nodiscard]] std::string describe(const OperatorCommand& command);

/// The command as one line for the control socket, and back. Errors: kMalformedBody.
[[nodiscard]] std::string to_line(const OperatorCommand& command);
[[nodiscard]] Result<OperatorCommand> parse_line(std::string_view line);

/// Converts a command's outcome to a line for the control socket, and back.
[[nodiscard]] std::string to_line(const Result<std::string>& outcome);
[[nodiscard]] Result<std::string> parse_outcome(std::string_view line);

}  // namespace analytics::admin
