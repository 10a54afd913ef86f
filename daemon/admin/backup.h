#pragma once

#include <filesystem>
#include <string>

#include "common/io/fs.h"
#include "common/run/result.h"
#include "common/text/time.h"
#include "daemon/admin/rotation.h"
#include "daemon/store/upkeep.h"

namespace analytics::admin {

/// Returns the name of a new backup: `target` if no such file exists, or a new name in it if it is
/// a folder. Errors: kInvalidParameter.
[[nodiscard]] Result<std::filesystem::path> backup_file(const std::filesystem::path& target,
                                                        UnixSeconds now);

/// Writes a backup to an open, empty file. Returns a text to print: bytes, events, schema and
/// SHA-256. Errors and exceptions: those of store::Upkeep::write_copy().
[[nodiscard]] Result<std::string> write_backup(const std::filesystem::path& database,
                                               const FileDescriptor& file,
                                               const store::Upkeep& upkeep, bool with_salts);

/// Writes a backup to stdout by way of a nameless file beside the database. Otherwise as
/// write_backup().
[[nodiscard]] Result<std::string> stream_backup(const std::filesystem::path& database,
                                                const store::Upkeep& upkeep, bool with_salts);

/// Removes the backups that the rotation does not keep. Returns a line for each. Errors: kInternal.
[[nodiscard]] Result<std::string> rotate_backups(const std::filesystem::path& folder,
                                                 const Rotation& rotation);

}  // namespace analytics::admin
