#include "daemon/cluster/forgotten.h"

#include <algorithm>

namespace analytics::cluster {

std::string excluding_forgotten(std::span<const store::ForgottenOfSite> forgotten,
                                std::string_view column) {
  if (forgotten.empty()) return {};
  std::string sites;
  std::string numbers;
  for (const auto& of_site : forgotten) {
    const auto* comma = sites.empty() ? "" : ",";
    sites += comma + std::to_string(of_site.site);
    numbers += comma + std::to_string(column == "id" ? of_site.event : of_site.visit);
  }
  std::string condition = " AND ";
  condition.append(column).append(" > transform(site, [").append(sites).append("], [");
  return condition.append(numbers).append("], 0)");
}

const store::ForgottenOfSite* find_site(std::span<const store::ForgottenOfSite> forgotten,
                                        SiteId site) {
  const auto found = std::lower_bound(forgotten.begin(), forgotten.end(), site,
                                      [](const auto& each, SiteId id) { return each.site < id; });
  return found != forgotten.end() && found->site == site ? &*found : nullptr;
}

}  // namespace analytics::cluster
