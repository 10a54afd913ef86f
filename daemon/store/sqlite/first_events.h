#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>

#include "common/time.h"
#include "daemon/model/site.h"
#include "daemon/store/sqlite/sqlite.h"

namespace analytics::sqlite {

/// The column sites.first_event_at: the time of a site's earliest event, in seconds. Used inside
/// the writer's transactions; throws SqliteError.
class FirstEvents {
 public:
  explicit FirstEvents(Connection& connection);  ///< `connection` must outlive this object.

  struct Site {
    std::optional<std::int64_t> first_event;
  };
  /// Returns nullopt if there is no such site.
  [[nodiscard]] std::optional<Site> find(SiteId site);
  void set(SiteId site, std::optional<std::int64_t> first_event);

 private:
  Statement find_;
  Statement set_;
};

/// The sites of one transaction: each is looked up once, and its first event is set at the end.
class BatchSites {
 public:
  /// `first_events` must outlive this object.
  explicit BatchSites(FirstEvents& first_events) : first_events_(first_events) {}

  [[nodiscard]] bool exists(SiteId site) { return find(site).stored.has_value(); }
  /// An event of the site was stored.
  void note(SiteId site, UnixMillis time);
  void write();

 private:
  struct State {
    std::optional<FirstEvents::Site> stored;
    std::int64_t earliest = INT64_MAX;  ///< Time among the events of this transaction.
  };
  State& find(SiteId site);

  FirstEvents& first_events_;
  std::unordered_map<SiteId, State> sites_;
};

}  // namespace analytics::sqlite
