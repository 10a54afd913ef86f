#pragma once

#include <filesystem>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "daemon/store/backend.h"
#include "daemon/store/shared_registry.h"
#include "daemon/store/upkeep.h"

namespace analytics {

/// An implementation of the store, such as SQLite: the functions that open and maintain it.
struct BackendKind {
  std::string_view name;
  /// Opens the store at `database`, and creates it if it is missing. Throws store::StoreUnusable,
  /// or std::runtime_error if it cannot be opened at all.
  std::unique_ptr<store::Backend> (*open)(const std::filesystem::path& database,
                                          const store::Limits& limits);
  /// Returns why the database should not be at this path, such as a network file system; empty if
  /// the path is fine.
  std::string (*place_problem)(const std::filesystem::path& database);
  store::Upkeep upkeep;
  /// Adds to `deleted` the sites that a change of a cluster's registry deletes, and removes from it
  /// the sites that the change creates. Errors: kInternal if the change cannot be read.
  Status (*note_deleted_sites)(const store::RegistryChange& change, std::set<SiteId>& deleted);
};

/// Returns all implementations. The daemon and its commands use the first.
[[nodiscard]] std::span<const BackendKind> backends();

}  // namespace analytics
