#pragma once

#include <string>
#include <vector>

#include "cli/frame/api_client.h"
#include "cli/site_file/site_spec.h"

/// The changes that make a server match a file of sites.
namespace analytics::cli {

struct SiteChange {
  enum class Action { kCreate, kUpdate, kDelete };
  Action action = Action::kCreate;
  std::string type;  ///< "site", "goal", "funnel", "link" or "exclusion"
  std::string site;  ///< Domain; empty: the account.
  std::string name;  ///< Name of the object; for an updated site, the change.
  ApiClient::Request request;
};

struct SiteChanges {
  /// Changes in the order of execution. Only `--prune` adds deletions.
  std::vector<SiteChange> changes;
  std::size_t unchanged = 0;
  std::vector<std::string> not_in_file;  ///< Other sites on the server; never deleted.
  std::vector<std::string> conflicts;    ///< Differences that no request can remove.
};

/// Compares a file with the server. `prune` also deletes goals, funnels, links and exclusions that
/// the file lacks, on sites that it names, and links of the account if the file names any.
[[nodiscard]] SiteChanges compare_sites(const AccountSpec& wanted, const AccountSpec& server,
                                        bool prune);

}  // namespace analytics::cli
