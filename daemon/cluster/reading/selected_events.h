#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "daemon/cluster/marks.h"
#include "daemon/cluster/reading/visit_table.h"
#include "daemon/model/event_selection.h"
#include "daemon/store/event_reader.h"

namespace analytics::cluster {

/// Returns the id by which clients know an event, computed from its node, its id on that node and
/// its time. The returned id stays the same until the node ships all of its events again. A store
/// without a cluster computes ids in another way.
[[nodiscard]] LastingId lasting_id(NodeNumber node, std::uint64_t event, UnixMillis time);

/// Returns the SQL of those conditions of a selection that compare numbers, for events up to the
/// nodes' marks: "site = … AND …". `own`: number of the node whose import the selection names,
/// because each node numbers its own imports.
[[nodiscard]] std::string condition_of(const EventSelection& selection, const Marks& marks,
                                       NodeNumber own);

/// Reads the events that match a selection, either with all stored values (kAll), or only so that
/// they can be counted and identified (kNumber). Functions throw ReadFailed, and LimitReached if
/// the query's time or memory is used up.
class SelectedEvents {
 public:
  enum class What { kAll, kNumber };
  /// `where`: the result of condition_of(), with further conditions if needed. The references must
  /// outlive the object.
  SelectedEvents(const ReadAccess& access, const Marks& marks, const EventSelection& selection,
                 NodeKeys& keys, const VisitMoves& moves, What what, const std::string& where);

  /// An event's position in the order in which pages of events are read: by visitor, second, node
  /// and id.
  struct Place {
    std::uint64_t visitor = 0;
    std::int64_t second = 0;
    NodeNumber node = 0;
    std::uint64_t id = 0;
  };
  /// Moves to the next block of events. Returns false at the end.
  bool next();
  /// Returns how many events of the current block match the selection.
  [[nodiscard]] std::int64_t count();
  /// Ids that identify an event and its visit.
  struct Found {
    NodeNumber node = 0;
    std::uint64_t id = 0;
    VisitKey visit = 0;
  };
  /// Appends the matching events of the current block to `to`.
  void find(std::vector<Found>& to);
  /// Appends the matching events of the current block to `to`, with all stored values. REQUIRES:
  /// the constructor was called with kAll.
  void read(std::vector<store::RecordedEvent>& to);
  /// Returns the place of the last event in the current block. REQUIRES: the constructor was
  /// called with kAll.
  [[nodiscard]] Place last() const;
  [[nodiscard]] std::size_t rows() const { return rows_.block().rows(); }

 private:
  [[nodiscard]] bool matches(std::size_t row);
  [[nodiscard]] bool has_prop(std::string_view props) const;
  [[nodiscard]] std::int64_t number(std::size_t column, std::size_t row) const {
    return rows_.block().number(column, row);
  }
  [[nodiscard]] store::RecordedEvent describe(std::size_t row) const;

  const EventSelection& selection_;
  NodeKeys& keys_;
  const VisitMoves& moves_;
  EventTexts texts_;
  VisitTable visits_;  ///< The events' visits with their sources, if the selection names a source.
  /// Indexes of the columns `path`, `props` and `source` in the answer.
  const std::size_t path_;
  const std::size_t props_;
  const std::size_t source_;
  AnswerRows rows_;
  std::vector<VisitKey> of_block_;  ///< Visit of each event in the current block.
  /// The paths met so far, and whether each matches the page pattern of the selection.
  std::unordered_map<std::string, bool> known_paths_;
};

}  // namespace analytics::cluster
