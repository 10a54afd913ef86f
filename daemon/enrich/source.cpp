#include "daemon/enrich/source.h"

#include <algorithm>
#include <unordered_map>

#include <libpsl.h>

#include "common/text.h"
#include "common/url.h"
#include "daemon/enrich/referrer.h"

namespace analytics {
namespace {

/// Look-ups into the table, made once. The views point into the table.
struct Index {
  std::unordered_map<std::string_view, const KnownSource*> hosts;
  std::unordered_map<std::string_view, const KnownSource*>
      any_suffix;                                            ///< Of `google.*`: "google".
  std::unordered_map<std::string, const KnownSource*> tags;  ///< Lower case.
};

Index make_index() {
  Index index;
  for (const auto& source : known_sources()) {
    for (const auto host : split(source.hosts, ' ')) {
      if (host.ends_with(".*")) {
        index.any_suffix.emplace(host.substr(0, host.size() - 2), &source);
      } else {
        index.hosts.emplace(host, &source);
      }
    }
    index.tags.emplace(ascii_lower(source.name), &source);
    for (const auto alias : split(source.aliases, ' ')) {
      if (!alias.empty()) index.tags.emplace(alias, &source);
    }
  }
  return index;
}

const Index& table() {
  static const Index index = make_index();
  return index;
}

/// Whether everything behind the first label is a public suffix: "google.co.uk", not
/// "google.a.com".
bool is_registrable(std::string_view domain) {
  const auto* list = psl_builtin();
  const std::string text(domain);
  const char* registrable = list == nullptr ? nullptr : psl_registrable_domain(list, text.c_str());
  return registrable != nullptr && text == registrable;
}

bool contains_any(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(), [&](std::string_view word) {
    return text.find(word) != std::string_view::npos;
  });
}

bool is_any(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

bool is_paid(std::string_view medium) {
  return contains_any(medium, {"cp", "ppc", "retargeting"}) || medium.starts_with("paid");
}

/// "shop" as a word of its own beginning, or "shopping".
bool speaks_of_shopping(std::string_view campaign) {
  for (auto at = campaign.find("shop"); at != std::string_view::npos;
       at = campaign.find("shop", at + 1)) {
    const bool inside = at > 0 && campaign[at - 1] >= 'a' && campaign[at - 1] <= 'z';
    if (!inside || campaign.substr(at).starts_with("shopping")) return true;
  }
  return false;
}

/// An advertisement's click, told by the id that its network adds to the URL.
struct ClickId {
  std::string_view parameter;
  std::string_view source;
  bool paid_search;
};
constexpr ClickId kClickIds[] = {
    {"gclid", "google", true}, {"msclkid", "bing", true}, {"fbclid", "facebook", false}};

bool has_parameter(std::string_view query, std::string_view name) {
  return contains_any(query, {name}) && !query_value(query, name).empty();
}

const ClickId* find_click(std::string_view query) {
  for (const auto& click : kClickIds) {
    if (has_parameter(query, click.parameter)) return &click;
  }
  return nullptr;
}

}  // namespace

const KnownSource* source_of_host(std::string_view host) {
  const auto name = ascii_lower(host);
  const auto& index = table();
  for (std::string_view rest = name;;) {  // from the longest to the shortest that fits
    if (const auto found = index.hosts.find(rest); found != index.hosts.end()) return found->second;
    const auto dot = rest.find('.');
    if (dot == std::string_view::npos) return nullptr;
    const auto found = index.any_suffix.find(rest.substr(0, dot));
    if (found != index.any_suffix.end() && is_registrable(rest)) return found->second;
    rest.remove_prefix(dot + 1);
  }
}

const KnownSource* source_of_tag(std::string_view tag) {
  const auto name = ascii_lower(trim(tag));
  const auto& index = table();
  if (const auto found = index.tags.find(name); found != index.tags.end()) return found->second;
  return name.find('.') == std::string::npos ? nullptr : source_of_host(shown_hostname(name));
}

Source find_source(const Utm& utm, std::string_view referrer, std::string_view query) {
  const auto& tag = utm[static_cast<std::size_t>(UtmTag::kSource)];
  const auto host = referrer.substr(0, referrer.find('/'));
  Source source;
  if (!tag.empty()) {
    source = {tag, source_of_tag(tag)};
  } else if (!host.empty()) {
    source = {std::string(host), source_of_host(host)};
  } else if (const auto* click = find_click(query)) {
    source.known = source_of_tag(click->source);
  }
  if (source.known != nullptr) source.name = source.known->name;
  return source;
}

Channel find_channel(const Source& source, const Utm& utm, std::string_view query) {
  const auto tag = [&](UtmTag which) { return ascii_lower(utm[static_cast<std::size_t>(which)]); };
  const auto medium = tag(UtmTag::kMedium);
  const auto campaign = tag(UtmTag::kCampaign);
  const auto name = ascii_lower(source.name);
  const auto is = [&](SourceKind kind) {
    return source.known != nullptr && source.known->kind == kind;
  };
  const auto* click = find_click(query);
  const bool clicked_search =
      click != nullptr && click->paid_search && source.known == source_of_tag(click->source);
  const bool shopping = is(SourceKind::kShopping) || speaks_of_shopping(campaign);
  const bool paid = is_paid(medium);

  if (contains_any(campaign, {"cross-network"})) return Channel::kCrossNetwork;
  if (paid && shopping) return Channel::kPaidShopping;
  if ((paid && is(SourceKind::kSearch)) || clicked_search) return Channel::kPaidSearch;
  if (paid && is(SourceKind::kSocial)) return Channel::kPaidSocial;
  if (paid && is(SourceKind::kVideo)) return Channel::kPaidVideo;
  if (is_any(medium, {"display", "banner", "expandable", "interstitial", "cpm"})) {
    return Channel::kDisplay;
  }
  if (paid) return Channel::kPaidOther;
  if (shopping) return Channel::kOrganicShopping;
  if (is(SourceKind::kSocial) || is_any(medium, {"social", "social-network", "social-media", "sm",
                                                 "social network", "social media"})) {
    return Channel::kOrganicSocial;
  }
  if (is(SourceKind::kVideo) || contains_any(medium, {"video"})) return Channel::kOrganicVideo;
  if (is(SourceKind::kSearch) || medium == "organic") return Channel::kOrganicSearch;
  if (is(SourceKind::kAi)) return Channel::kAiAssistants;
  const auto is_email = [](std::string_view text) {
    return is_any(text, {"email", "e-mail", "e_mail", "e mail"});
  };
  if (is(SourceKind::kEmail) || is_email(name) || is_email(medium)) return Channel::kEmail;
  if (medium == "affiliate") return Channel::kAffiliates;
  if (is(SourceKind::kAudio) || medium == "audio") return Channel::kAudio;
  if (name == "sms" || medium == "sms") return Channel::kSms;
  if (medium.ends_with("push") || contains_any(medium, {"mobile", "notification"}) ||
      name == "firebase") {
    return Channel::kMobilePush;
  }
  return name.empty() ? Channel::kDirect : Channel::kReferral;
}

}  // namespace analytics
