#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <unordered_set>

#include "common/run/result.h"

namespace analytics {

/// A list of hosts for which fake referrers are sent, so that the hosts appear in statistics. Each
/// includes its subdomains. Immutable; any thread.
class SpamList {
 public:
  SpamList() = default;
  /// Reads a file with a host per line and `#` comments. Errors: those of read_file();
  /// kInvalidParameter for a line that is not a host.
  static Result<SpamList> load(const std::filesystem::path& file);

  /// Returns true if the referrer's host is on the list. `referrer`: host and path, without scheme.
  [[nodiscard]] bool contains(std::string_view referrer) const;
  [[nodiscard]] std::size_t size() const { return hosts_.size(); }

 private:
  std::unordered_set<std::string> hosts_;
};

}  // namespace analytics
