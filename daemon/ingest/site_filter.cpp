#include "daemon/ingest/site_filter.h"

#include <algorithm>

namespace analytics {

void SiteFilter::add(const Exclusion& exclusion) {
  switch (exclusion.kind) {
    case ExclusionKind::kAddress:
      if (const auto network = parse_network(exclusion.value)) networks_.push_back(*network);
      return;
    case ExclusionKind::kPage: pages_.add(exclusion.value); return;
    case ExclusionKind::kHostname: hostnames_.add(exclusion.value); return;
  }
}

bool SiteFilter::excludes_page(std::string_view hostname, std::string_view path) const {
  if (!hostnames_.empty() && !hostnames_.match(hostname)) return true;
  return pages_.match(path);
}

bool SiteFilter::excludes_address(std::string_view address) const {
  if (networks_.empty()) return false;
  const auto bytes = parse_address(address);
  return bytes && std::any_of(networks_.begin(), networks_.end(),
                              [&](const Network& network) { return network.contains(*bytes); });
}

}  // namespace analytics
