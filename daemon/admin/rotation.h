#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "common/result.h"
#include "common/time.h"

namespace analytics::admin {

/// How many backups stay in a folder: the newest of each of so many days, ISO weeks and months that
/// have one.
struct Rotation {
  int days = 0;
  int weeks = 0;
  int months = 0;
};

/// Reads "7d,4w,6m": one of each unit, in any order; what is missing keeps none. Errors:
/// kInvalidParameter.
[[nodiscard]] Result<Rotation> parse_rotation(std::string_view text);

/// The name of a backup in a folder of them, such as analytics-20261123T031500Z.db.
[[nodiscard]] std::string backup_name(UnixSeconds time);

/// Returns those of a folder's names that are backups and need not stay. The newest one stays.
[[nodiscard]] std::vector<std::string> outdated(const Rotation& rotation,
                                                const std::set<std::string>& names);

}  // namespace analytics::admin
