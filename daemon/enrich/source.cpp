#include "daemon/enrich/source.h"

#include <algorithm>
#include <unordered_map>

#include <libpsl.h>

#include "common/text/text.h"
#include "common/text/url.h"
#include "daemon/enrich/advertisement_table.h"
#include "daemon/enrich/referrer.h"

namespace analytics {
namespace {

/// Maps from hosts and tags to the sources of the tables, made once. Keys that are views point into
/// the tables.
struct Index {
  std::unordered_map<std::string_view, const KnownSource*> hosts;
  /// Sources by host without public suffix, such as "google" for `google.*`.
  std::unordered_map<std::string_view, const KnownSource*> any_suffix;
  /// Sources by their tags in lower case.
  std::unordered_map<std::string, const KnownSource*> tags;
  std::unordered_map<std::string_view, const KnownSource*> advertisement_tags;
  std::unordered_map<std::string_view, const KnownSource*> advertisement_hosts;
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
  const auto add = [&](auto& map, std::string_view source, std::string_view words) {
    for (const auto word : split(words, ' ')) map.emplace(word, index.tags.at(ascii_lower(source)));
  };
  for (const auto& row : advertisement_tags()) {
    add(index.advertisement_tags, row.source, row.tags);
  }
  for (const auto& row : advertisement_hosts()) {
    add(index.advertisement_hosts, row.source, row.hosts);
  }
  return index;
}

const Index& table() {
  static const Index index = make_index();
  return index;
}

/// Returns true if all labels of the domain but the first form a public suffix, as in
/// "google.co.uk" but not in "google.a.com".
bool is_registrable(std::string_view domain) {
  const auto dot = domain.find('.');
  const auto* list = psl_builtin();
  if (list == nullptr || dot == std::string_view::npos) return false;
  // Suffixes of hosting companies and unknown suffixes do not count.
  const std::string suffix(domain.substr(dot + 1));
  return psl_is_public_suffix2(list, suffix.c_str(), PSL_TYPE_ICANN | PSL_TYPE_NO_STAR_RULE) != 0;
}

/// Returns true if the host `prefix` + domain of a search engine serves searches, such as with
/// "www.". Returns false for "accounts." (accounts.google.com) and "blog." (blog.naver.com).
bool is_search_host(std::string_view prefix) {
  if (prefix.ends_with('.')) prefix.remove_suffix(1);
  if (prefix.empty()) return true;
  const auto labels = split(prefix, '.');
  return std::all_of(labels.begin(), labels.end(), [](std::string_view label) {
    return label.size() <= 2 || label == "www" || label == "search" || label == "images" ||
           label == "html" || label == "lite" || label == "start" || label == "safe" ||
           label == "video" || label == "ask" || label.ends_with("-browse");
  });
}

bool is_any(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

bool is_paid(std::string_view medium) {
  return contains_any(medium, {"cp"}) || medium == "ppc" || medium == "retargeting" ||
         medium.starts_with("paid");
}

/// Returns the source whose advertisements a tag names: "google ads", "fb_ad", "YT-Ads"; null if
/// there is no such source.
const KnownSource* advertiser_of_tag(std::string_view tag) {
  auto key = ascii_lower(trim(tag));
  std::replace_if(
      key.begin(), key.end(), [](char c) { return c == ' ' || c == '_'; }, '-');
  const auto& tags = table().advertisement_tags;
  const auto found = tags.find(key);
  return found == tags.end() ? nullptr : found->second;
}

/// Returns the source whose advertisements the host or one of its parents serves; null if there is
/// no such source.
const KnownSource* advertiser_of_host(std::string_view host) {
  const auto& hosts = table().advertisement_hosts;
  const auto name = ascii_lower(host);
  for (std::string_view rest = name;;) {
    if (const auto found = hosts.find(rest); found != hosts.end()) return found->second;
    const auto dot = rest.find('.');
    if (dot == std::string_view::npos) return nullptr;
    rest.remove_prefix(dot + 1);
  }
}

/// Returns the source of a referrer. The host with the first segment of the path decides first
/// ("orange.fr/webmail"), then the host.
const KnownSource* source_of_referrer(std::string_view referrer) {
  const auto slash = std::min(referrer.find('/'), referrer.size());
  const auto end =
      std::min(referrer.find('/', std::min(slash + 1, referrer.size())), referrer.size());
  if (slash < end) {
    const auto found = table().hosts.find(ascii_lower(referrer.substr(0, end)));
    if (found != table().hosts.end()) return found->second;
  }
  return source_of_host(referrer.substr(0, slash));
}

bool speaks_of_email(std::string_view text) {
  return contains_any(text, {"email", "e-mail", "e_mail", "e mail", "newsletter"});
}

bool is_push(std::string_view medium) {
  return medium.ends_with("push") || contains_any(medium, {"mobile", "notification"});
}

/// Returns true if the medium names a channel, such as "email". The medium then takes precedence
/// over a source that only our table knows.
bool names_channel(std::string_view medium) {
  return speaks_of_email(medium) || is_any(medium, {"sms", "audio", "affiliate"}) ||
         is_push(medium);
}

/// Returns true if the campaign contains "shop" at the beginning of a word, "eshop", or "shopping".
bool speaks_of_shopping(std::string_view campaign) {
  for (auto at = campaign.find("shop"); at != std::string_view::npos;
       at = campaign.find("shop", at + 1)) {
    const bool inside =
        at > 0 && campaign[at - 1] >= 'a' && campaign[at - 1] <= 'z' && campaign[at - 1] != 'e';
    if (!inside || campaign.substr(at).starts_with("shopping")) return true;
  }
  return false;
}

/// A parameter that an advertising network adds to the URL of a click.
struct ClickId {
  std::string_view parameter;
  std::string_view source;
  bool paid_search;
};
constexpr ClickId kClickIds[] = {{"gclid", "google", true},  {"gbraid", "google", true},
                                 {"wbraid", "google", true}, {"gad_source", "google", true},
                                 {"msclkid", "bing", true},  {"fbclid", "facebook", false}};

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
  // Tries the whole host, then the host without its first label, and so on.
  for (std::string_view rest = name;;) {
    const auto prefix = std::string_view(name).substr(0, name.size() - rest.size());
    // A search engine's host that begins with "search." or "suche.", such as search.yahoo.com,
    // matches after any prefix: malaysia.search.yahoo.com.
    const bool is_search = rest.starts_with("search.") || rest.starts_with("suche.");
    const auto accept = [&](const KnownSource* source) {
      const bool fits = source->kind != SourceKind::kSearch || is_search || is_search_host(prefix);
      return fits ? source : nullptr;
    };
    if (const auto found = index.hosts.find(rest); found != index.hosts.end()) {
      return accept(found->second);
    }
    const auto dot = rest.find('.');
    if (dot == std::string_view::npos) return nullptr;
    const auto found = index.any_suffix.find(rest.substr(0, dot));
    if (found != index.any_suffix.end() && is_registrable(rest)) return accept(found->second);
    rest.remove_prefix(dot + 1);
  }
}

const KnownSource* source_of_tag(std::string_view tag) {
  const auto name = ascii_lower(trim(tag));
  const auto& index = table();
  if (const auto found = index.tags.find(name); found != index.tags.end()) return found->second;
  if (name.find('.') == std::string::npos) return nullptr;
  const auto url = split_url(name);  // some tags are whole URLs
  return source_of_host(shown_hostname(url ? url->host : std::string_view(name)));
}

Source find_source(const Utm& utm, std::string_view referrer, std::string_view query) {
  const auto& tag = utm[static_cast<std::size_t>(UtmTag::kSource)];
  const auto host = referrer.substr(0, referrer.find('/'));
  Source source;
  if (!tag.empty()) {
    source = {tag, source_of_tag(tag), false};
    if (source.known == nullptr) {
      source.known = advertiser_of_tag(tag);
      source.is_advertisement = source.known != nullptr;
    }
  } else if (!host.empty()) {
    source = {std::string(host), advertiser_of_host(host), true};
    if (source.known == nullptr) source = {std::string(host), source_of_referrer(referrer), false};
  } else if (const auto* click = find_click(query)) {
    source.known = source_of_tag(click->source);
  }
  if (source.known != nullptr) source.name = source.known->name;
  return source;
}

std::string_view medium_of_click(const Source& source, std::string_view query) {
  if (source.known == nullptr) return {};
  if (source.known == source_of_tag("google") && has_parameter(query, "gclid")) return "(gclid)";
  if (source.known == source_of_tag("bing") && has_parameter(query, "msclkid")) return "(msclkid)";
  return {};
}

Channel find_channel(const Source& source, const Utm& utm, std::string_view query) {
  const auto tag = [&](UtmTag which) { return ascii_lower(utm[static_cast<std::size_t>(which)]); };
  const auto medium = tag(UtmTag::kMedium);
  const auto campaign = tag(UtmTag::kCampaign);
  const auto name = ascii_lower(source.name);
  const bool yields = source.known != nullptr && source.known->is_ours && !is_paid(medium) &&
                      !source.is_advertisement && names_channel(medium);
  const auto is = [&](SourceKind kind) {
    return !yields && source.known != nullptr && source.known->kind == kind;
  };
  const auto* click = find_click(query);
  const bool clicked_search =
      (click != nullptr && click->paid_search && source.known == source_of_tag(click->source)) ||
      (is(SourceKind::kSearch) && is_any(medium, {"(gclid)", "(msclkid)"}));
  const bool shopping = is(SourceKind::kShopping) || speaks_of_shopping(campaign);
  const auto tagged = tag(UtmTag::kSource);
  const bool paid = is_paid(medium) || source.is_advertisement;

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
  if (is(SourceKind::kAi)) return Channel::kAiAssistants;
  if (is(SourceKind::kSearch) || medium == "organic") return Channel::kOrganicSearch;
  if (is(SourceKind::kEmail) || speaks_of_email(tagged) || speaks_of_email(medium)) {
    return Channel::kEmail;
  }
  if (medium == "affiliate") return Channel::kAffiliates;
  if (is(SourceKind::kAudio) || medium == "audio") return Channel::kAudio;
  if (name == "sms" || medium == "sms") return Channel::kSms;
  if (is_push(medium) || name == "firebase") return Channel::kMobilePush;
  const bool is_referred = !name.empty() || is_any(medium, {"referral", "app", "link"});
  return is_referred ? Channel::kReferral : Channel::kDirect;
}

}  // namespace analytics
