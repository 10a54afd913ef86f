#pragma once

#include "daemon/store/salts.h"
#include "daemon/store/sqlite/db/sqlite.h"

namespace analytics::sqlite {

/// Stores the salts with which visitor ids are hashed, one per day, and destroys them when they
/// expire. Owns the table salts.
class SqliteSalts final : public store::Salts {
 public:
  /// `connection` must outlive this object.
  explicit SqliteSalts(Connection& connection) : connection_(connection) {}

  Result<std::vector<HashKey>> ensure(std::span<const store::SaltDay> days) override;
  Result<std::optional<HashKey>> find(Days day) override;
  Result<std::vector<store::Salt>> known(std::span<const Days> days) override;
  Result<std::vector<Days>> add(std::span<const store::Salt> salts) override;
  Result<bool> destroy_expired(UnixSeconds now) override;

 private:
  Connection& connection_;
};

/// Deletes all salts from a database that no daemon uses, such as a copy.
void forget_all_salts(Connection& connection);

}  // namespace analytics::sqlite
