#include "daemon/model/link.h"

#include "common/text/url.h"

namespace analytics {

bool LinkTermsUpdate::apply_to(LinkTerms& terms) const {
  bool is_changed = false;
  const auto replace = [&](auto& term, const auto& wanted) {
    if (!wanted || term == *wanted) return;
    term = *wanted;
    is_changed = true;
  };
  replace(terms.password_hash, password_hash);
  replace(terms.expires_at, expires_at);
  replace(terms.filters, filters);
  replace(terms.period, period);
  replace(terms.frame_ancestors, frame_ancestors);
  return is_changed;
}

std::string link_url(std::string_view base_url, std::string_view domain, std::string_view token) {
  return std::string(base_url) + "/share/" + percent_encode(domain) + "?auth=" + std::string(token);
}

std::string account_link_url(std::string_view base_url, std::string_view token) {
  return std::string(base_url) + "/share/@all?auth=" + std::string(token);
}

}  // namespace analytics
