#pragma once

#include <filesystem>
#include <utility>

#include "common/result.h"
#include "daemon/exit_code.h"
#include "daemon/store/upkeep.h"

/// What commands have in common. All throw AppError with the exit code.
namespace analytics {

[[nodiscard]] ExitCode exit_of(const Error& error);

template <typename T>
T value_or_throw(Result<T> result) {
  if (!result) throw AppError(exit_of(result.error()), result.error().reason());
  if constexpr (!std::is_void_v<T>) return std::move(*result);
}

[[nodiscard]] const store::Upkeep& upkeep();

/// The process becomes the user whom the database belongs to, and says which one it is.
void become_owner(const std::filesystem::path& database);
/// A command works on a database that is there.
void take_database(const std::filesystem::path& database);
/// An upgrade is the daemon's: it says so, and copies the file first.
void refuse_older(const std::filesystem::path& database);
/// Lets a daemon that stores events have the cores first.
void give_way();

}  // namespace analytics
