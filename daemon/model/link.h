#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "common/text/time.h"
#include "common/wire/provisioned.h"
#include "daemon/model/site.h"

namespace analytics {

/// The restrictions and page settings of a shared link. An empty text means that there is no such
/// restriction or setting.
struct LinkTerms {
  std::string password_hash{};  ///< Hash of the link's password; empty if no password is needed.
  std::optional<UnixSeconds> expires_at{};  ///< Time from which the link no longer works.
  std::string filters{};  ///< JSON filter, as in API v2; the page counts only matching events.
  std::string period{};   ///< Period that the page shows first; one of kPagePeriods.
  /// Origins that may embed the page in a frame; overrides the daemon's setting.
  std::string frame_ancestors{};

  [[nodiscard]] bool is_over(UnixSeconds now) const { return expires_at && now >= *expires_at; }
};

/// A change of a link's terms. A nullopt keeps the term; an empty text, or an `expires_at` that
/// holds a nullopt, removes it.
struct LinkTermsUpdate {
  std::optional<std::string> password_hash{};
  std::optional<std::optional<UnixSeconds>> expires_at{};
  std::optional<std::string> filters{};
  std::optional<std::string> period{};
  std::optional<std::string> frame_ancestors{};

  /// Applies the change to `terms`; returns true if it makes a difference.
  bool apply_to(LinkTerms& terms) const;
};

/// A link that a request wants to exist: the existing link with this name, or else a new one with
/// this token.
struct WantedLink {
  std::string name;
  std::string token;
  LinkTermsUpdate terms{};
};

/// A shared link. Its token gives access to the site's page.
struct Link {
  SiteId site = 0;
  std::string name;   ///< Name, unique within the site.
  std::string token;  ///< Secret part of the URL of the link.
  LinkTerms terms{};
};

/// A shared link of an account. Its token gives access to the page that lists all sites of the
/// account, and to the page of each site.
struct AccountLink {
  AccountId account = 0;
  std::string name;   ///< Name, unique within the account.
  std::string token;  ///< Secret part of the URL of the link.
  LinkTerms terms{};  ///< Terms; have no filters, whose meaning differs between sites.
};

/// Length of a link's token: 24 random characters of base62, which are 142 bits.
inline constexpr std::size_t kLinkTokenCharacters = 24;

/// Returns `{base_url}/share/<domain>?auth=<token>`.
[[nodiscard]] std::string link_url(std::string_view base_url, std::string_view domain,
                                   std::string_view token);
/// Returns `{base_url}/share/@all?auth=<token>`; no site can be named `@all`.
[[nodiscard]] std::string account_link_url(std::string_view base_url, std::string_view token);

}  // namespace analytics
