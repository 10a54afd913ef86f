#pragma once

#include "daemon/store/registry.h"
#include "daemon/store/sqlite/imports.h"
#include "daemon/store/sqlite/keys.h"
#include "daemon/store/sqlite/sites.h"

namespace analytics::sqlite {

class SqliteRegistry final : public store::Registry {
 public:
  /// `connection` must outlive this object.
  explicit SqliteRegistry(Connection& connection);

  store::Sites& sites() override { return sites_; }
  store::Keys& keys() override { return keys_; }
  store::Imports& imports() override { return imports_; }
  Result<store::Directory> directory() override;
  [[nodiscard]] std::uint64_t revision() const override { return revision_; }

 private:
  std::uint64_t revision_ = 1;
  SqliteImports imports_;
  SqliteSites sites_;
  SqliteKeys keys_;
};

}  // namespace analytics::sqlite
