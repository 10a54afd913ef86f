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
  std::string type;  ///< Kind of the object: "site", "goal", "funnel", "link" or "exclusion".
  std::string site;  ///< Domain; empty for a link of the account.
  std::string name;  ///< Name of the object; for an updated site, the setting and its new value.
  ApiClient::Request request;
};

struct SiteChanges {
  /// Changes in the order in which they are made. They include deletions only with `--prune`.
  std::vector<SiteChange> changes;
  std::size_t unchanged = 0;
  /// Sites on the server that the file lacks; they are never deleted.
  std::vector<std::string> not_in_file;
  std::vector<std::string> conflicts;  ///< Texts about differences that no request can resolve.
};

/// Compares a file of sites with the server. With `prune`, the changes also delete goals, funnels,
/// links and exclusions that the file lacks, on the sites that the file names, and links of the
/// account if the file names any of these.
[[nodiscard]] SiteChanges compare_sites(const AccountSpec& wanted, const AccountSpec& server,
                                        bool prune);

}  // namespace analytics::cli
