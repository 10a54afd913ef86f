#pragma once

#include "daemon/store/upkeep.h"

/// Implements the functions of store::Upkeep that deal with copies of a store, its log, its schema
/// and its salts.
namespace analytics::sqlite {

[[nodiscard]] Result<store::CopyInfo> write_copy(const std::filesystem::path& database,
                                                 const FileDescriptor& copy, bool with_salts);
[[nodiscard]] Result<store::Schemas> schemas(const std::filesystem::path& database);
[[nodiscard]] Result<store::CopyInfo> check_copy(const FileDescriptor& copy);
[[nodiscard]] Status merge_log(const std::filesystem::path& database);
[[nodiscard]] Status forget_salts(const std::filesystem::path& database);

}  // namespace analytics::sqlite
