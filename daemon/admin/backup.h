#pragma once

#include <filesystem>
#include <string>

#include "common/io/fs.h"
#include "common/run/result.h"
#include "common/text/time.h"
#include "daemon/admin/rotation.h"
#include "daemon/store/upkeep.h"

namespace analytics::admin {

/// Returns the path for a new backup: `target` itself or, if it is a folder, a file in it named
/// after the time. Errors: kInvalidParameter if the file exists.
[[nodiscard]] Result<std::filesystem::path> backup_file(const std::filesystem::path& target,
                                                        UnixSeconds now);

/// Writes a backup to an open, empty file. Returns the lines to print: bytes, events, schema and
/// SHA-256. Errors and exceptions: those of store::Upkeep::write_copy().
[[nodiscard]] Result<std::string> write_backup(const std::filesystem::path& database,
                                               const FileDescriptor& file,
                                               const store::Upkeep& upkeep, bool with_salts);

/// Writes a backup to stdout, through an unnamed file beside the database. Otherwise as
/// write_backup(). Errors: also kOverloaded if the disk has too little room for that file.
[[nodiscard]] Result<std::string> stream_backup(const std::filesystem::path& database,
                                                const store::Upkeep& upkeep, bool with_salts);

/// Removes the backups that the rotation does not keep. Returns a line to print for each. Errors:
/// kInternal.
[[nodiscard]] Result<std::string> rotate_backups(const std::filesystem::path& folder,
                                                 const Rotation& rotation);

}  // namespace analytics::admin
