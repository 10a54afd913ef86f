#pragma once

#include <memory>
#include <vector>

#include "daemon/query/events/event_batch.h"
#include "daemon/store/sqlite/db/sqlite.h"
#include "daemon/store/sqlite/reading/pending_removals.h"
#include "daemon/store/sqlite/tables/dictionary_reader.h"

namespace analytics::sqlite {

/// The events of a site for queries, in the snapshot of the connection's transaction: some days as
/// parts, the others as rows. Leaves out the events that pending removals select, and computes
/// visits without them.
class SqliteEvents final : public query::EventSource {
 public:
  /// Tells whether parts that are copies of rows are read, or the rows in their place. kIgnored is
  /// for queries of engagements. Their filter may have a kHasDone, which needs the visits of
  /// engagements: copies have neither engagements nor the ids of these visits.
  enum class Copies { kRead, kIgnored };

  /// The references must outlive the object.
  SqliteEvents(Connection& connection, SiteId site, query::Budget& budget,
               Copies copies = Copies::kRead)
      : connection_(connection),
        site_(site),
        copies_(copies),
        budget_(budget),
        removals_(connection, site),
        texts_(connection, site, budget) {}

  [[nodiscard]] std::vector<query::PartId> parts(const TimeRange& range) override;
  [[nodiscard]] std::unique_ptr<query::EventPart> open_part(query::PartId part) override;
  [[nodiscard]] std::unique_ptr<query::BatchSource> scan(const TimeRange& range,
                                                         const query::ColumnSet& columns) override;
  [[nodiscard]] std::unique_ptr<query::BatchSource> scan_engagements(
      const TimeRange& range, const query::ColumnSet& columns) override;
  [[nodiscard]] std::unique_ptr<query::RawSource> scan_raw(const TimeRange& range) override;
  [[nodiscard]] DictionaryReader& texts() override { return texts_; }
  /// Returns true if events of the site are being removed.
  [[nodiscard]] bool are_being_removed() const { return removals_.are_any(); }

 private:
  Connection& connection_;
  const SiteId site_;
  const Copies copies_;
  query::Budget& budget_;
  const PendingRemovals removals_;
  DictionaryReader texts_;
};

}  // namespace analytics::sqlite
