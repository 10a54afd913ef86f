#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <unordered_set>

#include "common/result.h"

namespace analytics {

/// Hosts that send referrers to be seen in statistics. A file of one host a line; `#` begins a
/// comment. A host stands for its subdomains too. Immutable; any thread.
class SpamList {
 public:
  SpamList() = default;
  /// Errors: as read_file(); kInvalidParameter for a line that is no host.
  static Result<SpamList> load(const std::filesystem::path& file);

  /// `referrer` as it is stored: host and path.
  [[nodiscard]] bool contains(std::string_view referrer) const;
  [[nodiscard]] std::size_t size() const { return hosts_.size(); }

 private:
  std::unordered_set<std::string> hosts_;
};

}  // namespace analytics
