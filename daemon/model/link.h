#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "common/text/time.h"
#include "common/wire/provisioned.h"
#include "daemon/model/site.h"

namespace analytics {

/// The terms under which a shared link opens its page. An empty text sets no term.
struct LinkTerms {
  std::string password_hash{};  ///< Made by hash_password(); the page asks for the password.
  std::optional<UnixSeconds> expires_at{};  ///< From this time on, the link no longer works.
  std::string filters{};  ///< In the JSON notation of API v2; the page shows only matching events.
  std::string period{};   ///< Initial period of the page, one of kPagePeriods.
  std::string frame_ancestors{};  ///< Origins that may frame the page; overrides the setting.

  [[nodiscard]] bool is_over(UnixSeconds now) const { return expires_at && now >= *expires_at; }
};

/// New terms of a link. A nullopt keeps the term; an empty text or time removes it.
struct LinkTermsUpdate {
  std::optional<std::string> password_hash{};
  std::optional<std::optional<UnixSeconds>> expires_at{};
  std::optional<std::string> filters{};
  std::optional<std::string> period{};
  std::optional<std::string> frame_ancestors{};

  /// Returns true if the terms have changed.
  bool apply_to(LinkTerms& terms) const;
};

/// A requested link: found by its name, or created with this token.
struct WantedLink {
  std::string name;
  std::string token;
  LinkTermsUpdate terms{};
};

/// A shared link. Its token gives access to the site's page.
struct Link {
  SiteId site = 0;
  std::string name;   ///< Unique within the site.
  std::string token;  ///< A secret.
  LinkTerms terms{};
};

/// A shared link of an account. Its token gives access to the page of all sites of the account, and
/// to the page of each site.
struct AccountLink {
  AccountId account = 0;
  std::string name;   ///< Unique within the account.
  std::string token;  ///< A secret.
  LinkTerms terms{};  ///< Without filters, whose meaning differs between sites.
};

/// Length of a token: 24 characters of base62 are 142 bits.
inline constexpr std::size_t kLinkTokenCharacters = 24;

/// Returns `{base_url}/share/<domain>?auth=<token>`.
[[nodiscard]] std::string link_url(std::string_view base_url, std::string_view domain,
                                   std::string_view token);
/// Returns `{base_url}/share/@all?auth=<token>`; no site can be named `@all`.
[[nodiscard]] std::string account_link_url(std::string_view base_url, std::string_view token);

}  // namespace analytics
