#pragma once

#include <filesystem>

namespace analytics::sqlite {

/// Rewrites the log that an earlier process has left, with the same bytes, and syncs it. If a
/// sync of that process failed, the system still shows what it wrote, and no later sync writes it
/// to the disk (https://lwn.net/Articles/752063/). After a power cut the log would end there, and
/// commits after that place would be lost. Does nothing without a log, or without room to write.
/// Throws SqliteError. REQUIRES: the caller holds the lock of the database, which is not open.
void rewrite_log(const std::filesystem::path& database);

}  // namespace analytics::sqlite
