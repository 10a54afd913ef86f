#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/frame/exit_code.h"
#include "common/wire/api_types.h"
#include "common/wire/funnel.h"
#include "common/wire/provisioned.h"

/// Descriptions of sites with their goals, links, funnels and exclusions, read either from a file
/// of sites or from the server. Texts are in the server's normal form. The server assigns each
/// `id`, so it is empty in a file.
namespace analytics::cli {

struct GoalSpec {
  GoalType type = GoalType::kEvent;
  std::string value;  ///< Event name or page pattern.
  std::optional<std::string> display_name{};
  std::string id{};
};

struct LinkSpec {
  std::string name;
  std::string token{};  ///< Secret of the link. Empty in a file means that any secret is accepted.
  // The link's terms. In a file, an unset term accepts any value; on a server, it means no term. An
  // empty text means no term.
  std::optional<std::string> expires_at{};
  std::optional<std::string> filters{};
  std::optional<std::string> period{};
  std::optional<std::string> frame_ancestors{};
  /// In a file of sites: path of a file whose first line is the password.
  std::string password_file{};
  std::string password{};     ///< Password read from `password_file`.
  bool has_password = false;  ///< True if the server's link has a password.
};

/// A term of a link; `name` is both the API parameter and the key in files.
struct LinkTerm {
  const char* name;
  std::optional<std::string> LinkSpec::*value;
  Result<std::string> (*normalise)(std::string_view text);
};
inline constexpr LinkTerm kLinkTerms[] = {
    {"expires_at", &LinkSpec::expires_at, normalise_link_expiry},
    {"filters", &LinkSpec::filters, normalise_link_filters},
    {"period", &LinkSpec::period, normalise_link_period},
    {"frame_ancestors", &LinkSpec::frame_ancestors, normalise_frame_ancestors}};

struct ExclusionSpec {
  ExclusionKind kind = ExclusionKind::kAddress;
  std::string value;
  std::string id{};
};

struct FunnelSpec {
  std::string name;
  FunnelWithin within = FunnelWithin::kVisit;
  std::vector<FunnelStep> steps{};
};

struct SiteSpec {
  std::string domain;
  std::optional<std::string> timezone{};
  std::optional<std::string> keep{};  ///< Retention of events, such as "25mo"; nullopt if unset.
  std::optional<bool> keep_totals{};  ///< True to keep daily totals of expired events.
  std::optional<bool> languages{};    ///< True to count visitors' languages.
  std::vector<GoalSpec> goals{};
  std::vector<FunnelSpec> funnels{};
  std::vector<LinkSpec> links{};
  std::vector<ExclusionSpec> exclusions{};
};

/// The content of a file of sites, or the objects of an account on the server.
struct AccountSpec {
  std::vector<LinkSpec> links{};  ///< Links that open all sites of the account.
  std::vector<SiteSpec> sites{};
};

/// Returns the label that identifies an object among those of its kind, in the words of a file:
/// "event Signup", "page /blog/*", "address 192.0.2.0/24", a link's name, a site's domain.
[[nodiscard]] std::string label_of(const GoalSpec& goal);
[[nodiscard]] std::string label_of(const FunnelSpec& funnel);
[[nodiscard]] std::string label_of(const LinkSpec& link);
[[nodiscard]] std::string label_of(const ExclusionSpec& exclusion);
[[nodiscard]] std::string label_of(const SiteSpec& site);

/// Returns the object in `list` that has the same label as `wanted`; null if the list lacks it.
template <typename Spec>
[[nodiscard]] const Spec* find_same(const std::vector<Spec>& list, const Spec& wanted) {
  const auto label = label_of(wanted);
  const auto at = std::find_if(list.begin(), list.end(),
                               [&](const Spec& other) { return label_of(other) == label; });
  return at == list.end() ? nullptr : &*at;
}

/// Parses a file of sites (TOML). `name` is the file's name, for messages. Failures: kSetup with
/// all errors, one per line.
[[nodiscard]] Outcome<AccountSpec> parse_sites(std::string_view text, const std::string& name);

/// Returns the text of a file that parse_sites() reads.
[[nodiscard]] std::string format_sites(const AccountSpec& account);

}  // namespace analytics::cli
