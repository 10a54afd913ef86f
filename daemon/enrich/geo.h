#pragma once

#include <filesystem>
#include <memory>
#include <string_view>

#include "common/result.h"
#include "common/time.h"
#include "daemon/model/client.h"

namespace analytics {

/// A MaxMind DB (MMDB) of countries, regions and cities: those of MaxMind and DB-IP, or flat ones
/// with `country` or `country_code`. Immutable; any thread.
class GeoDatabase {
 public:
  /// Reads a copy of the file, so that whoever writes over it harms nobody. Errors:
  /// kInvalidParameter.
  static Result<std::shared_ptr<const GeoDatabase>> open(const std::filesystem::path& file);
  ~GeoDatabase();

  /// Returns the address's place; empty for text that is no address and for unknown addresses.
  [[nodiscard]] Place find(std::string_view address) const;
  /// Returns when its makers made it.
  [[nodiscard]] UnixSeconds made_at() const;

 private:
  struct Handle;
  explicit GeoDatabase(std::unique_ptr<Handle> handle);
  std::unique_ptr<Handle> handle_;
};

}  // namespace analytics
