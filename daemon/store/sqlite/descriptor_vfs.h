#pragma once

#include <string>

#include "common/fs.h"

namespace analytics::sqlite {

/// The name of a VFS of SQLite that opens databases in open files, wherever these lie and whoever
/// could open them: a copy is written into a folder of root's by a process that is no longer root.
/// No locks, and no journal beside the file: nobody else may have it.
[[nodiscard]] const char* descriptor_vfs();

/// Returns the name by which that VFS opens a file, which must stay open.
[[nodiscard]] std::string name_of(const FileDescriptor& file);

}  // namespace analytics::sqlite
