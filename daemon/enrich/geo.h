#pragma once

#include <filesystem>
#include <memory>
#include <string_view>

#include "common/run/result.h"
#include "common/text/time.h"
#include "daemon/model/client.h"

namespace analytics {

/// Finds the country, region and city of an address in a MaxMind DB file (MMDB) of MaxMind or
/// DB-IP, or in one whose entries have only `country` or `country_code`. Immutable; any thread.
class GeoDatabase {
 public:
  /// Opens a copy of the file in memory, so that a later change of the file does no harm. Errors:
  /// kInvalidParameter if the file cannot be read or is not such a database.
  static Result<std::shared_ptr<const GeoDatabase>> open(const std::filesystem::path& file);
  ~GeoDatabase();

  /// Returns the address's place; empty for unknown addresses and for text that is not an address.
  [[nodiscard]] Place find(std::string_view address) const;
  /// Returns when the database was built.
  [[nodiscard]] UnixSeconds made_at() const;

 private:
  struct Handle;
  explicit GeoDatabase(std::unique_ptr<Handle> handle);
  std::unique_ptr<Handle> handle_;
};

}  // namespace analytics
