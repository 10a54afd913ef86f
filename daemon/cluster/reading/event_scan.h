#pragma once

#include <optional>
#include <vector>

#include "daemon/cluster/marks.h"
#include "daemon/cluster/reading/visit_table.h"

namespace analytics::cluster {

/// A site of a cluster, and the nodes' marks up to which the site's events are read.
struct EventsOf {
  SiteId site = 0;
  const Marks& marks;
};

/// Reads either the engagements or all other events of a site in a range, with values of their
/// visits. Throws ReadFailed, and LimitReached if the query's time or memory is used up.
class EventScan final : public query::BatchSource {
 public:
  enum class Of { kEvents, kEngagements };
  /// `moves`: the events that have moved to another visit since they were stored. All scans of a
  /// query share it, and the first one that needs visits fills it. The references must outlive the
  /// object.
  EventScan(const ReadAccess& access, const EventsOf& events, const TimeRange& range,
            const query::ColumnSet& columns, Of of, EventTexts& texts, NodeKeys& keys,
            std::optional<VisitMoves>& moves);
  bool next(query::EventBatch& batch) override;

 private:
  struct OwnColumn {
    query::Column column;
    bool is_text;
  };
  [[nodiscard]] static std::vector<OwnColumn> own_columns(const query::ColumnSet& columns);
  [[nodiscard]] VisitMoves* load_visits(const TimeRange& range, const query::ColumnSet& columns,
                                        std::optional<VisitMoves>& moves);
  void find_visits();
  [[nodiscard]] bool lacks_visits();
  void read_own(query::EventBatch& batch, std::size_t count);
  void read_visits(query::EventBatch& batch, std::size_t count);

  const ReadAccess access_;
  const EventsOf events_;
  EventTexts& texts_;
  NodeKeys& keys_;
  /// Columns with values of the events themselves, in the order in which the statement selects
  /// them.
  const std::vector<OwnColumn> columns_;
  VisitTable visits_;
  /// Events that have moved to other visits; null if the scan needs no visits.
  VisitMoves* const moves_;
  bool is_refreshed_ = false;  ///< True if the moves were read again because a visit was missing.
  AnswerRows rows_;
  std::size_t at_ = 0;                 ///< Index of the next row in the current block.
  std::size_t end_ = 0;                ///< Number of rows in the current block.
  std::vector<VisitKey> of_block_;     ///< Visit of each event in the current block.
  std::vector<std::int64_t> numbers_;  ///< Buffer for read_own().
};

}  // namespace analytics::cluster
