#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "common/run/result.h"
#include "common/text/time.h"

namespace analytics::admin {

/// The backups to keep: the newest one of each of the last `days` days, `weeks` ISO weeks and
/// `months` months that have a backup.
struct Rotation {
  int days = 0;
  int weeks = 0;
  int months = 0;
};

/// Parses a rotation such as "7d,4w,6m": at most one number per unit, in any order. A missing unit
/// means 0. Errors: kInvalidParameter.
[[nodiscard]] Result<Rotation> parse_rotation(std::string_view text);

/// Returns the file name for a backup made at this time, such as analytics-20261123T031500Z.db.
[[nodiscard]] std::string backup_name(UnixSeconds time);

/// Returns the backups among `names` that the rotation does not keep. The newest backup is always
/// kept, and other files are ignored.
[[nodiscard]] std::vector<std::string> outdated(const Rotation& rotation,
                                                const std::set<std::string>& names);

}  // namespace analytics::admin
