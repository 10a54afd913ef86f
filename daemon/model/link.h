#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "common/provisioned.h"
#include "common/time.h"
#include "daemon/model/site.h"

namespace analytics {

/// The terms under which a link opens its page. A text that is empty: there is no such term.
struct LinkTerms {
  std::string password_hash{};  ///< Made by hash_password(): the page asks for the password.
  std::optional<UnixSeconds> expires_at{};  ///< From then on the link opens nothing.
  std::string filters{};          ///< JSON, in the notation of v2: what the page shows at most.
  std::string period{};           ///< The page's first, one of kPagePeriods.
  std::string frame_ancestors{};  ///< Origins that may show it in a frame, in place of the setting.

  [[nodiscard]] bool is_over(UnixSeconds now) const { return expires_at && now >= *expires_at; }
};

/// New terms of a link. What is not there stays; an empty text, or time, removes the term.
struct LinkTermsUpdate {
  std::optional<std::string> password_hash{};
  std::optional<std::optional<UnixSeconds>> expires_at{};
  std::optional<std::string> filters{};
  std::optional<std::string> period{};
  std::optional<std::string> frame_ancestors{};

  /// Returns true if that changed anything.
  bool apply_to(LinkTerms& terms) const;
};

/// A link that somebody asks for: found by its name, or made with this token.
struct WantedLink {
  std::string name;
  std::string token;
  LinkTermsUpdate terms{};
};

/// A shared link: whoever has its token may see the site's page.
struct Link {
  SiteId site = 0;
  std::string name;   ///< Unique in its site.
  std::string token;  ///< A secret.
  LinkTerms terms{};
};

/// A shared link of an account: whoever has its token may see the page of all its sites, and the
/// page of each.
struct AccountLink {
  AccountId account = 0;
  std::string name;   ///< Unique in its account.
  std::string token;  ///< A secret.
  LinkTerms terms{};  ///< Without filters, which would mean another thing for each site.
};

/// Characters of a token: 24 of base62 are 142 bits.
inline constexpr std::size_t kLinkTokenCharacters = 24;

/// `{base_url}/share/<domain>?auth=<token>`.
[[nodiscard]] std::string link_url(std::string_view base_url, std::string_view domain,
                                   std::string_view token);
/// `{base_url}/share/@all?auth=<token>`: no site has that name.
[[nodiscard]] std::string account_link_url(std::string_view base_url, std::string_view token);

}  // namespace analytics
