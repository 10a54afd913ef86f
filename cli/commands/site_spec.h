#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/frame/exit_code.h"
#include "common/api_types.h"
#include "common/funnel.h"
#include "common/provisioned.h"

/// A site with all that it is to have, as a file says, or has, as the server says. Values are in
/// the form in which the server keeps them. An id is the server's, and empty in a file.
namespace analytics::cli {

struct GoalSpec {
  GoalType type = GoalType::kEvent;
  std::string value;  ///< The event's name, or the pattern of pages.
  std::optional<std::string> display_name{};
  std::string id{};
};

struct LinkSpec {
  std::string name;
  std::string token{};  ///< Its secret; empty in a file: any.
  // Its terms. Absent: in a file, any; of a server, none. An empty text: none.
  std::optional<std::string> expires_at{};
  std::optional<std::string> filters{};
  std::optional<std::string> period{};
  std::optional<std::string> frame_ancestors{};
  std::string password_file{};  ///< In a file: the first line is the link's password.
  std::string password{};       ///< Read from there.
  bool has_password = false;    ///< On the server.
};

/// A term of a link that a file may have: the name of its parameter and key.
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
  std::optional<std::string> keep{};  ///< How long events are kept, as "25mo".
  std::optional<bool> keep_totals{};  ///< Older days leave their totals.
  std::optional<bool> languages{};    ///< The languages of visitors are counted.
  std::vector<GoalSpec> goals{};
  std::vector<FunnelSpec> funnels{};
  std::vector<LinkSpec> links{};
  std::vector<ExclusionSpec> exclusions{};
};

/// A file's content, or an account's.
struct AccountSpec {
  std::vector<LinkSpec> links{};  ///< They open all its sites.
  std::vector<SiteSpec> sites{};
};

/// The label by which an object is known, and told from others of its kind: "event Signup",
/// "page /blog/*", a link's name, "address 192.0.2.0/24" in the words of a file, a site's domain.
[[nodiscard]] std::string label_of(const GoalSpec& goal);
[[nodiscard]] std::string label_of(const FunnelSpec& funnel);
[[nodiscard]] std::string label_of(const LinkSpec& link);
[[nodiscard]] std::string label_of(const ExclusionSpec& exclusion);
[[nodiscard]] std::string label_of(const SiteSpec& site);

/// Returns the object of a list that has the same label; null if there is none.
template <typename Spec>
[[nodiscard]] const Spec* find_same(const std::vector<Spec>& list, const Spec& wanted) {
  const auto label = label_of(wanted);
  const auto at = std::find_if(list.begin(), list.end(),
                               [&](const Spec& other) { return label_of(other) == label; });
  return at == list.end() ? nullptr : &*at;
}

/// Reads a file of sites (TOML). `name` is the file's, for messages. Failures: kSetup with all that
/// is wrong in it, each on a line.
[[nodiscard]] Outcome<AccountSpec> parse_sites(std::string_view text, const std::string& name);

/// Writes a file that parse_sites() reads.
[[nodiscard]] std::string format_sites(const AccountSpec& account);

}  // namespace analytics::cli
