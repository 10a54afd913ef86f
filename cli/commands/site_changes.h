#pragma once

#include <string>
#include <vector>

#include "cli/commands/site_spec.h"
#include "cli/frame/api_client.h"

/// The changes that give a server what a file says.
namespace analytics::cli {

struct SiteChange {
  enum class Action { kCreate, kUpdate, kDelete };
  Action action = Action::kCreate;
  std::string type;  ///< site, goal, link or exclusion
  std::string site;  ///< Empty: the account.
  std::string name;  ///< The goal's, link's or exclusion's; the change of a site that is updated.
  ApiClient::Request request;
};

struct SiteChanges {
  /// In the order in which they must be made. Those that delete come only from `--prune`.
  std::vector<SiteChange> changes;
  std::size_t unchanged = 0;
  std::vector<std::string> not_in_file;  ///< Sites of the server, which are never deleted.
  std::vector<std::string> conflicts;    ///< Differences that no request can remove.
};

/// Compares. `prune`: goals, links and exclusions of a named site that the file does not name are
/// to be deleted, and links of the account if the file names any.
[[nodiscard]] SiteChanges compare_sites(const AccountSpec& wanted, const AccountSpec& server,
                                        bool prune);

}  // namespace analytics::cli
