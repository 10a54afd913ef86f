#include "daemon/model/api_key.h"

#include <algorithm>

namespace analytics {

bool ApiKey::allows_site(const std::string& domain) const {
  return sites.empty() || std::find(sites.begin(), sites.end(), domain) != sites.end();
}

}  // namespace analytics
