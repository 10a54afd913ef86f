#include "common/event/event_privacy.h"

#include <algorithm>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "common/event/event_limits.h"
#include "common/text/personal_data.h"
#include "common/text/text.h"
#include "common/text/user_agent_text.h"

namespace analytics {
namespace {

using namespace event_limits;
using Derived = EventPayload::Derived;

/// Fields whose values would otherwise be derived from the User-Agent.
constexpr std::optional<std::string> Derived::*kOfUserAgent[] = {&Derived::browser, &Derived::os,
                                                                 &Derived::device};
constexpr std::optional<std::string> Derived::*kOthers[] = {&Derived::region, &Derived::city};
constexpr std::optional<std::string> Derived::*kVersions[] = {&Derived::browser_version,
                                                              &Derived::os_version};

/// Returns true if the key contains the word "version": "app_version", "appVersion", not
/// "conversion".
bool names_version(std::string_view key) {
  const auto at = ascii_lower(key).find("version");
  if (at == std::string::npos) return false;
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const bool is_inner = key[at] == 'V' && at > 0 && key[at - 1] >= 'a';  // true for "appVersion"
  return at == 0 || !is_letter(key[at - 1]) || is_inner;
}

IpAddresses addresses_of(const Property& prop) {
  return names_version(prop.key) ? IpAddresses::kKeepV4 : IpAddresses::kRedact;
}

/// Takes User-Agents out of the fields for browser, system and device, and moves the first one to
/// the field for User-Agents if that field is empty. Cuts a product such as "Chrome/120" to its
/// name. Returns the number of values left out or cut.
std::size_t withhold_client(EventPayload& payload) {
  std::size_t withheld = 0;
  for (const auto field : kOfUserAgent) {
    auto& text = payload.derived.*field;
    if (!text || !begins_with_product(*text)) continue;
    const bool is_word = text->find(' ') == std::string::npos;
    if (is_word || !names_user_agent(*text)) {  // the text is a product such as "Chrome/120"
      text->resize(text->find('/'));
      ++withheld;
      continue;
    }
    if (payload.user_agent) {
      ++withheld;
    } else {
      payload.user_agent = std::move(*text);
    }
    text.reset();
  }
  return withheld;
}

/// Keeps only the last property of each key.
void leave_last_of_keys(std::vector<Property>& props) {
  std::unordered_set<std::string_view> seen;
  std::vector<Property> last;
  for (std::size_t i = props.size(); i-- > 0;) {
    if (seen.insert(props[i].key).second) last.push_back(props[i]);
  }
  std::reverse(last.begin(), last.end());
  props = std::move(last);
}

/// Cuts a text to `most` characters; "(redacted)" may have made it too long.
void cut_characters(std::string& text, std::size_t most) {
  while (count_characters(text) > most) text.resize(cut_utf8(text, text.size() - 1).size());
}

}  // namespace

std::size_t withhold_personal_data(EventPayload& payload) {
  if (!may_be_personal(payload)) return 0;
  auto withheld = withhold_client(payload);
  // "(redacted)" may be longer than the text it replaces.
  const auto count = [&](std::size_t redacted, std::string& text, std::size_t most) {
    if (redacted > 0) text.resize(cut_utf8(text, most).size());
    withheld += redacted;
  };
  count(redact_url(payload.url), payload.url, kMaxUrlBytes);
  count(redact_url(payload.referrer), payload.referrer, kMaxReferrerBytes);
  withheld += redact(payload.name);
  cut_characters(payload.name, kMaxNameCharacters);
  const auto before_keys = withheld;
  for (auto& prop : payload.props) {
    count(redact(prop.value, addresses_of(prop)), prop.value, kMaxPropValueBytes);
    count(redact(prop.key), prop.key, kMaxPropKeyBytes);
  }
  if (withheld > before_keys) leave_last_of_keys(payload.props);
  const auto redact_all = [&](const auto& fields, IpAddresses addresses) {
    for (const auto field : fields) {
      auto& text = payload.derived.*field;
      if (text) count(redact(*text, addresses), *text, kMaxDerivedBytes);
    }
  };
  redact_all(kOfUserAgent, IpAddresses::kRedact);
  redact_all(kOthers, IpAddresses::kRedact);
  redact_all(kVersions, IpAddresses::kKeepV4);
  return withheld;
}

bool may_be_personal(const EventPayload& payload) {
  const auto has_signs = [&](const auto& fields) {
    return std::any_of(std::begin(fields), std::end(fields), [&](const auto field) {
      const auto& text = payload.derived.*field;
      return text && may_be_personal(*text);
    });
  };
  return may_be_personal(payload.url) || may_be_personal(payload.referrer) ||
         may_be_personal(payload.name) || has_signs(kOfUserAgent) || has_signs(kOthers) ||
         has_signs(kVersions) ||
         std::any_of(payload.props.begin(), payload.props.end(), [](const Property& prop) {
           return may_be_personal(prop.key) || may_be_personal(prop.value);
         });
}

}  // namespace analytics
