#pragma once

#include <filesystem>
#include <memory>
#include <string_view>

#include "common/run/result.h"
#include "common/text/time.h"
#include "daemon/model/client.h"

namespace analytics {

/// A MaxMind DB (MMDB) of countries, regions and cities, from MaxMind or DB-IP, or one whose
/// entries have only `country` or `country_code`. Immutable; any thread.
class GeoDatabase {
 public:
  /// Opens a copy of the file, so that a later change of the file does no harm. Errors:
  /// kInvalidParameter.
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
