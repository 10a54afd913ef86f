#pragma once

#include <filesystem>

namespace analytics::sqlite {

/// Rewrites the WAL that an earlier process has left, with the same bytes, and syncs it. If a sync
/// of that process failed, reads still return its data, but no later sync writes them to the disk
/// (https://lwn.net/Articles/752063/). After a power cut, the WAL would end before these data, and
/// later commits would be lost. Does nothing if there is no WAL or the disk is full. Throws
/// SqliteError. REQUIRES: the caller holds the lock of the database, which is not open.
void rewrite_log(const std::filesystem::path& database);

}  // namespace analytics::sqlite
