#pragma once

#include <string>

#include "common/run/result.h"
#include "common/text/time.h"
#include "daemon/model/funnel.h"
#include "daemon/store/changed.h"
#include "daemon/store/sqlite/db/sqlite.h"

namespace analytics::sqlite {

/// The columns that read_funnel() reads.
inline constexpr char kFunnelColumns[] = "site, name, within, steps";
[[nodiscard]] Funnel read_funnel(const Rows& row);

/// Stores the funnels of sites. Called on the writer thread. Each function returns after its
/// change is on disk. Besides the errors named below, each can fail with kOverloaded (worth
/// retrying) or kInternal. Owns the table funnels.
class Funnels {
 public:
  /// `connection` must outlive this object.
  explicit Funnels(Connection& connection) : connection_(connection) {}

  /// Finds the site's funnel with the wanted name and sets its steps, or creates it. Errors:
  /// kSiteNotFound; kLimitReached if the site already has kMaxFunnels funnels.
  Result<store::Changed<Funnel>> ensure_funnel(const Funnel& wanted, UnixSeconds now);
  /// Deletes a funnel. Errors: kFunnelNotFound.
  Status delete_funnel(SiteId site, const std::string& name);

  /// Deletes a site's funnels, inside the transaction that deletes the site. Throws SqliteError.
  static void forget_site(Connection& connection, SiteId site);

 private:
  Connection& connection_;
};

}  // namespace analytics::sqlite
