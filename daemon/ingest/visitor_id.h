#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string_view>

#include "common/run/result.h"
#include "common/run/secret.h"
#include "common/text/time.h"
#include "daemon/model/site.h"
#include "daemon/model/visit.h"
#include "daemon/store/salts.h"

namespace analytics {

/// Returns a digest that identifies a visitor of a site while an event is in memory; it is never
/// written anywhere. It is computed from the client's address, the User-Agent, the site and the
/// registrable domain of the page's host (public suffix list).
[[nodiscard]] Digest visitor_identity(std::string_view address, std::string_view user_agent,
                                      SiteId site, std::string_view hostname);

/// Turns identities of visitors into the ids that are stored, by hashing them with the salt of the
/// event's day. Writer thread only.
class VisitorIds {
 public:
  explicit VisitorIds(store::Salts& store) : store_(store) {}

  /// Caches the salts of these days, with one access to the store for all that are missing, and
  /// creates those that do not exist. Errors: those of store::Salts.
  Status prepare(const std::set<Days>& days, UnixSeconds now);
  /// Returns the visitor's id on the day. After prepare() it needs no access to the store. Errors:
  /// those of prepare().
  Result<std::uint64_t> id(const Digest& identity, Days day, UnixSeconds now);
  /// Returns the visitor's ids under which the visit of an event may be found: on the day of the
  /// event; on the day before, if the activity began then; and on a neighbouring day that is within
  /// `reach` of the activity, if that day has a salt. Errors: those of id().
  Result<VisitKeys> keys(const Digest& identity, const Activity& activity,
                         std::chrono::minutes reach, UnixSeconds now);
  /// Destroys expired salts. Returns false if the write-ahead log still contains traces of such
  /// salts.
  Result<bool> destroy_old(UnixSeconds now);

 private:
  void forget();  ///< Overwrites the cached salts and empties both caches.
  /// Returns the id, or 0 if the day has no salt because no visitor was seen on it.
  Result<std::uint64_t> id_if_seen(const Digest& identity, Days day);

  store::Salts& store_;
  std::map<Days, HashKey> salts_;  ///< Cache of the store's salts.
  std::set<Days> without_salt_;    ///< Cache of days that have no salt in the store.
};

}  // namespace analytics
