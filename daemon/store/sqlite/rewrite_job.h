#pragma once

#include <utility>
#include <vector>

#include "daemon/parts/raw_event.h"
#include "daemon/store/sqlite/part_table.h"
#include "daemon/store/sqlite/part_worker.h"

namespace analytics::sqlite {

/// Makes one sealed part of some: without the events of an import, or all of them. No part, if no
/// events are left.
class RewriteJob final : public PartJob {
 public:
  /// `import`: 0: all events stay. REQUIRES: the parts can be one, see PartTable::mergeable().
  RewriteJob(SiteId site, std::vector<query::PartId> parts, ImportId import)
      : site_(site), parts_(std::move(parts)), import_(import) {}
  void run(Connection& connection, PartSink& sink) override;

  [[nodiscard]] SiteId site() const { return site_; }
  [[nodiscard]] const std::vector<query::PartId>& parts() const { return parts_; }
  [[nodiscard]] ImportId import() const { return import_; }
  /// When it has ended: how many events it has left out.
  [[nodiscard]] std::int64_t removed() const { return removed_; }

 private:
  [[nodiscard]] std::vector<parts::RawEvent> read(Connection& connection) const;

  const SiteId site_;
  const std::vector<query::PartId> parts_;
  const ImportId import_;
  std::int64_t removed_ = 0;
};

}  // namespace analytics::sqlite
