#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string_view>

#include "common/result.h"
#include "common/secret.h"
#include "common/time.h"
#include "daemon/model/site.h"
#include "daemon/model/visit.h"
#include "daemon/store/salts.h"

namespace analytics {

/// Stands for a visitor of a site while an event is in memory: client address, User-Agent, site and
/// the registrable domain of the page (public suffix list). Never written anywhere.
[[nodiscard]] Digest visitor_identity(std::string_view address, std::string_view user_agent,
                                      SiteId site, std::string_view hostname);

/// Turns identities into visitor ids, with the salt of the event's own day. Writer thread only.
class VisitorIds {
 public:
  explicit VisitorIds(store::Salts& store) : store_(store) {}

  /// Fetches the salts that events of these days need and that are not at hand, all at once.
  /// Errors: those of store::Salts.
  Status prepare(const std::set<Days>& days, UnixSeconds now);
  /// Errors: as prepare(), which spares it the way to the store.
  Result<std::uint64_t> id(const Digest& identity, Days day, UnixSeconds now);
  /// Returns the ids on the day of the event and, where `reach` of its activity lies in a day
  /// beside it that has a salt, on that day. Errors: as id().
  Result<VisitKeys> keys(const Digest& identity, const Activity& activity,
                         std::chrono::minutes reach, UnixSeconds now);
  /// Destroys salts that are over. False when a trace is left in the log.
  Result<bool> destroy_old(UnixSeconds now);

 private:
  void forget();
  /// 0 when the day has no salt, so that nobody was seen on it.
  Result<std::uint64_t> id_if_seen(const Digest& identity, Days day);

  store::Salts& store_;
  std::map<Days, HashKey> salts_;  ///< Cached; the store has them.
  std::set<Days> without_salt_;    ///< Cached as well.
};

}  // namespace analytics
