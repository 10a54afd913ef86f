#include "daemon/enrich/referrer.h"

#include "common/text/text.h"
#include "common/text/url.h"
#include "daemon/model/site.h"

namespace analytics {

std::string shown_hostname(std::string_view host) {
  auto name = unicode_host(host);
  if (name.starts_with("www.") && name.size() > 4) name.erase(0, 4);
  return name;
}

std::string stored_referrer(std::string_view referrer, std::string_view page_hostname) {
  const auto parts = split_url(referrer);
  if (!parts) return {};
  auto host = shown_hostname(parts->host);
  if (host == page_hostname || host == "localhost") return {};
  auto path = percent_decode_lenient(parts->path);
  if (path.ends_with('/')) path.pop_back();
  return host + path;
}

}  // namespace analytics
