#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "common/result.h"
#include "daemon/model/site.h"

namespace analytics {

using ExclusionId = std::int64_t;

/// The part of an event that an exclusion compares. The numbers are stored: never change one.
enum class ExclusionKind {
  kAddress = 1,   ///< Events of these addresses do not count.
  kPage = 2,      ///< Events of these pages do not count.
  kHostname = 3,  ///< Once there is one, only events of these hosts count.
};
[[nodiscard]] std::string_view exclusion_kind_name(ExclusionKind kind);
[[nodiscard]] std::optional<ExclusionKind> parse_exclusion_kind(std::string_view name);

/// An event of a site that the operator does not want counted.
struct Exclusion {
  ExclusionId id = 0;
  SiteId site = 0;
  ExclusionKind kind = ExclusionKind::kAddress;
  std::string value;  ///< An address or network as it was given; a pattern with `*` and `**`.
};

/// The value as it is kept: trimmed; a page begins with `/` or `*`; a host is lower case and
/// without `www.`. Whether an address is one is for who knows addresses. Errors: kInvalidParameter,
/// `value`.
[[nodiscard]] Result<std::string> normalise_exclusion(ExclusionKind kind, std::string_view value);

}  // namespace analytics
