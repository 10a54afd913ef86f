#pragma once

#include <utility>
#include <vector>

#include "daemon/model/event_selection.h"
#include "daemon/query/events/raw_event.h"
#include "daemon/store/sqlite/columns/part_worker.h"
#include "daemon/store/sqlite/tables/part_table.h"
#include "daemon/store/sqlite/tables/removal_table.h"

namespace analytics::sqlite {

/// Merges sealed parts into one, or rewrites a sealed part without the events of a removal. Makes
/// no part if no events are left.
class RewriteJob final : public PartJob {
 public:
  /// Merges sealed parts of a site; all events stay. REQUIRES: PartTable::mergeable() has returned
  /// these parts.
  RewriteJob(SiteId site, std::vector<query::PartId> parts)
      : site_(site), parts_(std::move(parts)) {}
  /// Rewrites a sealed part without the events that `without` selects.
  RewriteJob(query::PartId part, RemovalId removal, EventSelection without)
      : site_(without.site), parts_{part}, removal_(removal), without_(std::move(without)) {}
  void run(Connection& connection, PartSink& sink) override;

  [[nodiscard]] SiteId site() const { return site_; }
  [[nodiscard]] const std::vector<query::PartId>& parts() const { return parts_; }
  /// Returns the removal that the rewrite is for; 0 if the job is a merge.
  [[nodiscard]] RemovalId removal() const { return removal_; }
  // The results of the next two functions are valid once the job has ended.

  /// Returns the number of events that the removal has selected.
  [[nodiscard]] std::int64_t removed() const { return removed_; }
  /// Returns true if the removal has selected no events of the part. The part then stays, and no
  /// other part was made.
  [[nodiscard]] bool is_unchanged() const { return removal_ != 0 && removed_ == 0; }

 private:
  [[nodiscard]] std::vector<query::RawEvent> read(Connection& connection) const;

  const SiteId site_;
  const std::vector<query::PartId> parts_;
  const RemovalId removal_ = 0;
  const EventSelection without_;
  std::int64_t removed_ = 0;
};

}  // namespace analytics::sqlite
