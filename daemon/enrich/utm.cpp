#include "daemon/enrich/utm.h"

#include "common/text/url.h"

namespace analytics {

Utm extract_utm(std::string_view query) {
  Utm utm;
  if (query.empty()) return utm;
  for (std::size_t i = 0; i < kUtmTags; ++i) utm[i] = query_value(query, kUtmNames[i]);
  auto& source = utm[static_cast<std::size_t>(UtmTag::kSource)];
  if (source.empty()) source = query_value(query, "source");
  if (source.empty()) source = query_value(query, "ref");
  return utm;
}

}  // namespace analytics
