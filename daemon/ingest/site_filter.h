#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "daemon/ingest/client_ip.h"
#include "daemon/model/exclusion.h"
#include "daemon/model/wildcard.h"

namespace analytics {

/// The exclusions of one site, ready to be asked. Immutable; any thread.
class SiteFilter {
 public:
  void add(const Exclusion& exclusion);
  /// True when events of this page do not count.
  [[nodiscard]] bool excludes_page(std::string_view hostname, std::string_view path) const;
  /// True when events of this address do not count. False for what is no address.
  [[nodiscard]] bool excludes_address(std::string_view address) const;

 private:
  std::vector<Network> networks_;
  SegmentPatterns pages_;
  SegmentPatterns hostnames_;
};

}  // namespace analytics
