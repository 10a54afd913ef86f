#pragma once

#include <filesystem>
#include <string>

#include "common/io/fs.h"
#include "common/run/result.h"
#include "common/text/time.h"
#include "daemon/admin/backup_rotation.h"

namespace analytics::admin {

/// Returns the path for a new backup: `target` itself or, if that is a folder, a file in it whose
/// name has the time. Errors: kInvalidParameter if the file exists.
[[nodiscard]] Result<std::filesystem::path> backup_file(const std::filesystem::path& target,
                                                        UnixSeconds now);

/// Writes a backup of the database to an open, empty file. Returns the lines to print: bytes,
/// events, schema and SHA-256. `with_salts`: keep the salts in the backup. Errors and exceptions:
/// those of sqlite::write_copy().
[[nodiscard]] Result<std::string> write_backup(const std::filesystem::path& database,
                                               const FileDescriptor& file, bool with_salts);

/// Like write_backup(), but writes the backup to stdout, through a temporary file beside the
/// database. Errors: also kOverloaded if the disk has too little room for the temporary file.
[[nodiscard]] Result<std::string> stream_backup(const std::filesystem::path& database,
                                                bool with_salts);

/// Removes the backups in the folder that the rotation does not keep. Returns a line to print for
/// each removed backup. Errors: kInternal.
[[nodiscard]] Result<std::string> rotate_backups(const std::filesystem::path& folder,
                                                 const Rotation& rotation);

}  // namespace analytics::admin
