#include "daemon/ingest/site_filter.h"

#include <algorithm>

#include "daemon/model/wildcard.h"

namespace analytics {

void SiteFilter::add(const Exclusion& exclusion) {
  switch (exclusion.kind) {
    case ExclusionKind::kAddress:
      if (const auto network = parse_network(exclusion.value)) networks_.push_back(*network);
      return;
    case ExclusionKind::kPage: pages_.push_back(exclusion.value); return;
    case ExclusionKind::kHostname: hostnames_.push_back(exclusion.value); return;
  }
}

bool SiteFilter::excludes_page(std::string_view hostname, std::string_view path) const {
  const auto matches = [](std::string_view text) {
    return [text](const std::string& pattern) {
      return wildcard_matches(pattern, text, Star::kWithinSegment);
    };
  };
  if (!hostnames_.empty() && std::none_of(hostnames_.begin(), hostnames_.end(), matches(hostname)))
    return true;
  return std::any_of(pages_.begin(), pages_.end(), matches(path));
}

bool SiteFilter::excludes_address(std::string_view address) const {
  if (networks_.empty()) return false;
  const auto bytes = parse_address(address);
  return bytes && std::any_of(networks_.begin(), networks_.end(),
                              [&](const Network& network) { return network.contains(*bytes); });
}

}  // namespace analytics
