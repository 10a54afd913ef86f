#pragma once

#include "daemon/store/funnels.h"
#include "daemon/store/sqlite/db/sqlite.h"

namespace analytics::sqlite {

/// The columns that read_funnel() reads.
inline constexpr char kFunnelColumns[] = "site, name, within, steps";
[[nodiscard]] Funnel read_funnel(const Rows& row);

/// Stores the funnels of sites. Owns the table funnels.
class SqliteFunnels final : public store::Funnels {
 public:
  explicit SqliteFunnels(Connection& connection) : connection_(connection) {}

  Result<store::Changed<Funnel>> ensure_funnel(const Funnel& wanted, UnixSeconds now) override;
  Status delete_funnel(SiteId site, const std::string& name) override;

  /// Deletes a site's funnels, inside the transaction that deletes the site. Throws SqliteError.
  static void forget_site(Connection& connection, SiteId site);

 private:
  Connection& connection_;
};

}  // namespace analytics::sqlite
