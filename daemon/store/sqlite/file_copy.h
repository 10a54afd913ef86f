#pragma once

#include <filesystem>

#include "common/io/fs.h"
#include "common/run/result.h"
#include "daemon/store/upkeep.h"

/// Functions for copies of a store, its log, its schema and its salts, with or without a running
/// daemon. They all throw store::StoreUnusable if the file is damaged, is not a store or was
/// written by a newer version.
namespace analytics::sqlite {

/// Writes a consistent copy of the store to an open, empty file, then checks and syncs the copy.
/// Leaves out the salts unless `with_salts` is true. Does not delay commits. Errors: kOverloaded
/// (busy or full), kInternal.
[[nodiscard]] Result<store::CopyInfo> write_copy(const std::filesystem::path& database,
                                                 const FileDescriptor& copy, bool with_salts);
/// Returns the schema versions of a store; `stored` is 0 if the store is empty. Errors:
/// kOverloaded, kInternal.
[[nodiscard]] Result<store::Schemas> schemas(const std::filesystem::path& database);
/// Checks a copy before it is restored as a store. Errors: as write_copy().
[[nodiscard]] Result<store::CopyInfo> check_copy(const FileDescriptor& copy);
/// Moves the contents of a store's write-ahead log into the database file. Errors: as
/// write_copy(). REQUIRES: the caller holds the store's lock.
[[nodiscard]] Status merge_log(const std::filesystem::path& database);
/// Destroys all salts of a store that was set aside, and merges its files into one. REQUIRES: no
/// process uses the store.
[[nodiscard]] Status forget_salts(const std::filesystem::path& database);

}  // namespace analytics::sqlite
