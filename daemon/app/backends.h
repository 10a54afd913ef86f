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

/// A kind of store, and the functions that open and maintain it.
struct BackendKind {
  std::string_view name;
  /// Opens the store at `database`, and creates it if it is missing. Throws store::StoreUnusable,
  /// or std::runtime_error if it cannot be opened at all.
  std::unique_ptr<store::Backend> (*open)(const std::filesystem::path& database,
                                          const store::Limits& limits);
  /// Returns why the store should not be kept at that place; empty if there is no reason.
  std::string (*place_problem)(const std::filesystem::path& database);
  store::Upkeep upkeep;
  /// Adds the sites that a change of a shared registry deletes to `deleted`, and erases the sites
  /// that it makes. Errors: kInternal if the change cannot be read.
  Status (*note_deleted_sites)(const store::RegistryChange& change, std::set<SiteId>& deleted);
};

/// All kinds of stores. The first is the one that the daemon uses.
[[nodiscard]] std::span<const BackendKind> backends();

}  // namespace analytics
