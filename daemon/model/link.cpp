#include "daemon/model/link.h"

#include "common/url.h"

namespace analytics {

std::string link_url(std::string_view base_url, std::string_view domain, std::string_view token) {
  return std::string(base_url) + "/share/" + percent_encode(domain) + "?auth=" + std::string(token);
}

}  // namespace analytics
