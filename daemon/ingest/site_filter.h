#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "daemon/ingest/client_ip.h"
#include "daemon/model/exclusion.h"

namespace analytics {

/// The exclusions of one site, ready to be asked. Immutable; any thread.
class SiteFilter {
 public:
  void add(const Exclusion& exclusion);
  /// Whether an event is not to be counted. `address` may be empty: unknown.
  [[nodiscard]] bool excludes(std::string_view address, std::string_view hostname,
                              std::string_view path) const;

 private:
  std::vector<Network> networks_;
  std::vector<std::string> pages_;
  std::vector<std::string> hostnames_;
};

}  // namespace analytics
