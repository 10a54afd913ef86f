#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/frame/exit_code.h"
#include "common/api_types.h"
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
};

struct ExclusionSpec {
  ExclusionKind kind = ExclusionKind::kAddress;
  std::string value;
  std::string id{};
};

struct SiteSpec {
  std::string domain;
  std::optional<std::string> timezone{};
  std::vector<GoalSpec> goals{};
  std::vector<LinkSpec> links{};
  std::vector<ExclusionSpec> exclusions{};
};

/// The name that the server shows for a goal without a display name.
[[nodiscard]] std::string default_name(const GoalSpec& goal);

/// "event Signup", "page /blog/*"
[[nodiscard]] std::string label_of(const GoalSpec& goal);
/// "address 192.0.2.0/24"; the words are those of a file.
[[nodiscard]] std::string label_of(const ExclusionSpec& exclusion);

/// Reads a file of sites (TOML). `name` is the file's, for messages. Failures: kSetup with all that
/// is wrong in it, each on a line.
[[nodiscard]] Outcome<std::vector<SiteSpec>> parse_sites(std::string_view text,
                                                         const std::string& name);

/// Writes a file that parse_sites() reads.
[[nodiscard]] std::string format_sites(const std::vector<SiteSpec>& sites);

}  // namespace analytics::cli
