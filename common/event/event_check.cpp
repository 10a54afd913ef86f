#include <algorithm>

#include "common/event/event_limits.h"
#include "common/event/event_payload.h"
#include "common/event/event_privacy.h"
#include "common/event/screen_class.h"
#include "common/text/address.h"
#include "common/text/text.h"
#include "common/text/url.h"

namespace analytics {
namespace {

using namespace event_limits;
using Derived = EventPayload::Derived;

/// Returns true if parsing would keep the text unchanged: trimmed, without control characters.
bool is_plain(const std::string& text, std::size_t most) {
  return text.size() <= most && trim(text).size() == text.size() && is_valid_utf8(text) &&
         !has_control(text);
}
bool is_plain(const std::optional<std::string>& text, std::size_t most) {
  return !text || is_plain(*text, most);
}

bool has_plain_client(const EventPayload& payload) {
  const bool has_address =
      !payload.ip || (is_plain(*payload.ip, kMaxNameCharacters) && parse_address(*payload.ip));
  const auto width = payload.screen_width.value_or(0);
  return has_address && is_plain(payload.user_agent, kMaxUserAgentBytes) &&
         is_token(payload.visitor.value_or("-")) && is_token(payload.visit.value_or("-")) &&
         width >= 0 && width <= kMaxScreenWidth && payload.interactive && !payload.hash_mode &&
         !payload.revenue &&
         (!payload.id || (!payload.id->empty() && is_plain(*payload.id, kMaxNameCharacters)));
}

bool has_plain_derived(const Derived& derived) {
  const auto is_absent_or = [](const std::optional<std::string>& text,
                               bool (*is_one)(std::string_view)) { return !text || is_one(*text); };
  const auto is_screen = [](std::string_view name) { return parse_screen(name).has_value(); };
  const std::optional<std::string>* texts[] = {
      &derived.region,          &derived.city, &derived.device,    &derived.browser,
      &derived.browser_version, &derived.os,   &derived.os_version};
  return is_absent_or(derived.country, is_country) && is_absent_or(derived.screen, is_screen) &&
         is_absent_or(derived.language, is_language) &&
         is_plain(derived.language, kMaxLanguageBytes) &&
         std::all_of(std::begin(texts), std::end(texts),
                     [](const auto* text) { return is_plain(*text, kMaxDerivedBytes); });
}

bool has_plain_props(const std::vector<Property>& props) {
  // Maximum number of properties that are checked; more would be slow, because the loop compares
  // each key with all others.
  constexpr std::size_t kMaxCompared = 8;
  if (props.size() > kMaxCompared) return false;
  for (std::size_t i = 0; i < props.size(); ++i) {
    const auto& [key, value] = props[i];
    if (key.empty() || is_blank(value)) return false;
    if (!is_plain(key, kMaxPropKeyBytes) || !is_plain(value, kMaxPropValueBytes)) return false;
    for (std::size_t j = 0; j < i; ++j) {
      if (props[j].key == key) return false;
    }
  }
  return true;
}

}  // namespace

bool is_plainly_valid(const EventPayload& payload, const PayloadRights& rights) {
  if (!rights.import || payload.domains.size() != 1 || !payload.timestamp) return false;
  if (!payload.ip && !payload.user_agent && !payload.visitor) return false;
  if (*payload.timestamp < kEarliest || *payload.timestamp > rights.now + kFuture) return false;
  const auto parts = split_url(payload.url);
  const bool is_page = parts && (parts->scheme == "https" || parts->scheme == "http") &&
                       !parts->host.empty() && is_plain(payload.url, kMaxUrlBytes);
  const auto& domain = payload.domains.front();
  return is_page && !domain.empty() && is_plain(domain, kMaxNameCharacters) &&
         domain.find(',') == std::string::npos && !is_blank(payload.name) &&
         payload.name != kEngagement && is_plain(payload.name, kMaxNameCharacters) &&
         is_plain(payload.referrer, kMaxReferrerBytes) && has_plain_client(payload) &&
         has_plain_derived(payload.derived) && has_plain_props(payload.props) &&
         !may_be_personal(payload);
}

}  // namespace analytics
