#pragma once

#include <string>
#include <string_view>

#include "common/provisioned.h"
#include "daemon/model/site.h"

namespace analytics {

/// A shared link: whoever has its token may see the site's page.
struct Link {
  SiteId site = 0;
  std::string name;   ///< Unique in its site.
  std::string token;  ///< A secret.
};

/// Characters of a token: 24 of base62 are 142 bits.
inline constexpr std::size_t kLinkTokenCharacters = 24;

/// `{base_url}/share/<domain>?auth=<token>`.
[[nodiscard]] std::string link_url(std::string_view base_url, std::string_view domain,
                                   std::string_view token);

}  // namespace analytics
