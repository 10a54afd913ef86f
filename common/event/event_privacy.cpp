#include "common/event/event_privacy.h"

#include <algorithm>
#include <utility>

#include "common/event/event_limits.h"
#include "common/text/personal_data.h"
#include "common/text/text.h"

namespace analytics {
namespace {

using namespace event_limits;
using Derived = EventPayload::Derived;

/// Fields that a User-Agent is read into.
constexpr std::optional<std::string> Derived::*kOfUserAgent[] = {&Derived::browser, &Derived::os,
                                                                 &Derived::device};
constexpr std::optional<std::string> Derived::*kOthers[] = {&Derived::region, &Derived::city};
constexpr std::optional<std::string> Derived::*kVersions[] = {&Derived::browser_version,
                                                              &Derived::os_version};

IpAddresses addresses_of(const Property& prop) {
  const bool is_version = ascii_lower(prop.key).find("version") != std::string::npos;
  return is_version ? IpAddresses::kKeep : IpAddresses::kRedact;
}

std::size_t withhold_client(EventPayload& payload) {
  std::size_t withheld = 0;
  for (const auto field : kOfUserAgent) {
    auto& text = payload.derived.*field;
    if (!text || !begins_with_product(*text)) continue;
    if (payload.user_agent) {
      ++withheld;
    } else {
      payload.user_agent = std::move(*text);
    }
    text.reset();
  }
  return withheld;
}

}  // namespace

std::size_t withhold_personal_data(EventPayload& payload) {
  if (!may_be_personal(payload)) return 0;
  auto withheld = withhold_client(payload);
  // "(redacted)" may be longer than what it replaces.
  const auto count = [&](std::size_t redacted, std::string& text, std::size_t most) {
    if (redacted > 0) text.resize(cut_utf8(text, most).size());
    withheld += redacted;
  };
  count(redact_url(payload.url), payload.url, kMaxUrlBytes);
  count(redact_url(payload.referrer), payload.referrer, kMaxReferrerBytes);
  count(redact(payload.name), payload.name, kMaxNameCharacters);
  for (auto& prop : payload.props) {
    count(redact(prop.value, addresses_of(prop)), prop.value, kMaxPropValueBytes);
    count(redact(prop.key), prop.key, kMaxPropKeyBytes);
  }
  const auto redact_all = [&](const auto& fields, IpAddresses addresses) {
    for (const auto field : fields) {
      auto& text = payload.derived.*field;
      if (text) count(redact(*text, addresses), *text, kMaxDerivedBytes);
    }
  };
  redact_all(kOfUserAgent, IpAddresses::kRedact);
  redact_all(kOthers, IpAddresses::kRedact);
  redact_all(kVersions, IpAddresses::kKeep);
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
