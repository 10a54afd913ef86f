#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "daemon/ingest/client_ip.h"
#include "daemon/model/exclusion.h"
#include "daemon/model/wildcard.h"

namespace analytics {

/// Matches events against the exclusions of a site: excluded pages, excluded addresses, and
/// patterns of the only hosts whose events count. Any thread after the last add().
class SiteFilter {
 public:
  void add(const Exclusion& exclusion);
  /// Returns true if the site excludes events on this page.
  [[nodiscard]] bool excludes_page(std::string_view hostname, std::string_view path) const;
  /// Returns true if the site excludes events from this address. Returns false for text that is not
  /// an address.
  [[nodiscard]] bool excludes_address(std::string_view address) const;

 private:
  std::vector<Network> networks_;
  SegmentPatterns pages_;
  SegmentPatterns hostnames_;
};

}  // namespace analytics
