#pragma once

#include "daemon/store/sqlite/event_removal.h"
#include "daemon/store/sqlite/sqlite.h"

namespace analytics::sqlite {

/// Begins to remove what is older than sites keep: whole days of theirs, after these have ended.
/// Used on the writer's thread, inside its transactions; throws SqliteError.
class Expiry {
 public:
  /// The references must outlive this object.
  Expiry(Connection& connection, EventRemoval& removal)
      : connection_(connection), removal_(removal) {}

  /// For sites that say nothing themselves. Like theirs, a change removes nothing for kBeforePurge.
  void set_default(const Retention& keep) { default_ = keep; }
  /// Begins the removals that are due. Returns true if there were any.
  bool begin_due(UnixSeconds now);

 private:
  [[nodiscard]] UnixSeconds default_since(UnixSeconds now);

  Connection& connection_;
  EventRemoval& removal_;
  Retention default_;
};

}  // namespace analytics::sqlite
