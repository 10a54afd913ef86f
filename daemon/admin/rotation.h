#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "common/run/result.h"
#include "common/text/time.h"

namespace analytics::admin {

/// Numbers of daily, weekly and monthly backups to keep: the newest of each of the last days, ISO
/// weeks and months that have a backup.
struct Rotation {
  int days = 0;
  int weeks = 0;
  int months = 0;
};

/// Parses "7d,4w,6m": at most one number per unit, in any order; a missing unit keeps no backups.
/// Errors: kInvalidParameter.
[[nodiscard]] Result<Rotation> parse_rotation(std::string_view text);

/// Returns the file name of a backup, such as analytics-20261123T031500Z.db.
[[nodiscard]] std::string backup_name(UnixSeconds time);

/// Returns the names of backups that the rotation does not keep. Always keeps the newest backup.
/// Ignores names that are not of backups.
[[nodiscard]] std::vector<std::string> outdated(const Rotation& rotation,
                                                const std::set<std::string>& names);

}  // namespace analytics::admin
