#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "daemon/cluster/marks.h"
#include "daemon/cluster/reading/visit_table.h"
#include "daemon/model/event_selection.h"
#include "daemon/store/event_reader.h"

namespace analytics::cluster {

/// Returns what stands for an event of a node, until that ships all of its events anew. It says
/// nothing of what is known of the event, unlike that of a store alone.
[[nodiscard]] LastingId lasting_id(NodeNumber node, std::uint64_t event, UnixMillis time);

/// The conditions of a selection, as far as numbers can say them, on events up to the marks: "site
/// = … AND …". Imports are numbered by each node: `own` is whose the selection means.
[[nodiscard]] std::string condition_of(const EventSelection& selection, const Marks& marks,
                                       NodeNumber own);

/// Reads events that a selection has, with all that is stored of them or only as many as there are.
/// Functions throw as AnswerRows.
class SelectedEvents {
 public:
  enum class What { kAll, kNumber };
  /// `where`: condition_of(), and what else there is to say. The references must outlive the
  /// object.
  SelectedEvents(const ReadAccess& access, const Marks& marks, const EventSelection& selection,
                 NodeKeys& keys, const VisitMoves& moves, What what, const std::string& where);

  /// The place of an event in the order of the table.
  struct Place {
    std::uint64_t visitor = 0;
    std::int64_t second = 0;
    NodeNumber node = 0;
    std::uint64_t id = 0;
  };
  /// Moves on to the next block of events. False if there is none.
  bool next();
  /// Returns how many of the block are selected.
  [[nodiscard]] std::int64_t count();
  /// What an event is known by.
  struct Found {
    NodeNumber node = 0;
    std::uint64_t id = 0;
    VisitKey visit = 0;
  };
  /// Appends those of the block that are selected.
  void find(std::vector<Found>& to);
  /// The same, with all that is stored of them. REQUIRES: kAll, as the next.
  void read(std::vector<store::RecordedEvent>& to);
  /// Of the block's last event.
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
  VisitTable visits_;       ///< With their sources, where the selection asks for one.
  const std::size_t path_;  ///< Its place among the columns, as the next.
  const std::size_t props_;
  const std::size_t source_;
  AnswerRows rows_;
  std::vector<VisitKey> of_block_;  ///< The visits of the block's events.
  std::unordered_map<std::string, bool> known_paths_;
};

}  // namespace analytics::cluster
