#pragma once

#include <string>

#include "common/io/fs.h"

namespace analytics::sqlite {

/// Returns the name of an SQLite VFS that opens databases through open file descriptors. With it, a
/// process that is no longer root can write a copy into a folder that only root can open. The VFS
/// takes no locks and writes no journal file, so no other process may use the file.
[[nodiscard]] const char* descriptor_vfs();

/// Returns the name under which the VFS of descriptor_vfs() opens this file, which must stay open.
[[nodiscard]] std::string name_of(const FileDescriptor& file);

}  // namespace analytics::sqlite
