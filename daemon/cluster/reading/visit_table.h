#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "common/text/time.h"
#include "daemon/cluster/marks.h"
#include "daemon/cluster/reading/answer_rows.h"
#include "daemon/cluster/reading/event_texts.h"
#include "daemon/model/site.h"
#include "daemon/query/events/flat_table.h"

namespace analytics::cluster {

/// Identifies a visit of any node: combines the node and the node's own id of the visit. 0 for no
/// visit.
using VisitKey = std::uint64_t;

/// Combines a node and its own id of a visit or event into a key.
class NodeKeys {
 public:
  [[nodiscard]] VisitKey key(NodeNumber node, std::uint64_t number) {
    return number == 0 ? 0 : place_of(node) << kNumberBits | number;
  }
  [[nodiscard]] NodeNumber node_of(VisitKey key) const { return nodes_[key >> kNumberBits]; }
  [[nodiscard]] static std::uint64_t number_of(VisitKey key) {
    return key & ((std::uint64_t{1} << kNumberBits) - 1);
  }

 private:
  static constexpr int kNumberBits = 48;
  /// Returns the index of a node in nodes_. Adds the node if it is new.
  std::uint64_t place_of(NodeNumber node);

  std::vector<NodeNumber> nodes_;
};

/// Finds the current visits of a site's events. Some events have moved to another visit since they
/// were stored.
class VisitMoves {
 public:
  /// Reads which of the site's events have moved to another visit. Throws ReadFailed, and
  /// LimitReached if the query's time or memory is used up. `keys` must outlive the object.
  VisitMoves(const ReadAccess& access, const Marks& marks, SiteId site, NodeKeys& keys);
  /// Reads the moves again, because more of the site's events may have moved meanwhile.
  void refresh(const ReadAccess& access, const Marks& marks);
  /// Sets `visits` to the current visit of each event in the block. REQUIRES: the block's first
  /// columns are those of event_columns().
  void find(const NativeReader& block, std::vector<VisitKey>& visits) const;
  /// Returns the visits that were merged into one of `visits`.
  [[nodiscard]] std::vector<VisitKey> visits_in(const std::unordered_set<VisitKey>& visits) const;
  /// Returns the events that were moved to one of `visits` one by one, without a merge.
  [[nodiscard]] std::vector<VisitKey> events_in(const std::unordered_set<VisitKey>& visits) const;
  /// Returns the columns that identify an event: its node, the visit it was stored with, and its
  /// id.
  [[nodiscard]] static std::vector<AskedColumn> event_columns();

 private:
  [[nodiscard]] VisitKey visit_of(VisitKey event, VisitKey visit) const;

  /// For each event or visit that has moved: its current visit.
  using Winners = std::unordered_map<VisitKey, VisitKey>;
  const SiteId site_;
  NodeKeys& keys_;
  query::Charges charges_;
  Winners of_events_;
  Winners of_visits_;
};

/// Keeps the values of visits in memory: of visits created on certain days, and of other visits
/// once they are needed. Functions throw ReadFailed, and LimitReached if the query's time or memory
/// is used up.
class VisitTable {
 public:
  /// The references must outlive the object.
  VisitTable(const ReadAccess& access, const Marks& marks, SiteId site,
             const query::ColumnSet& columns, EventTexts& texts, NodeKeys& keys);

  /// Returns the columns whose values are kept for each visit.
  [[nodiscard]] const std::vector<query::Column>& columns() const { return columns_; }
  /// Reads the visits that were created on the days `first` to `last`.
  void load(Days first, Days last);
  /// Finds the values of these visits for required(), and reads those that are not in memory.
  void require(std::span<const VisitKey> visits);
  /// Returns the values of the visit at index `at` of the last require(), in the order of
  /// columns(); null if that visit is 0 or missing. Valid until the next load() or require().
  [[nodiscard]] const std::uint32_t* required(std::size_t at) const;
  /// Returns the id of the visitor that a value of the column kVisitor stands for.
  [[nodiscard]] std::uint64_t visitor(std::uint32_t value) const { return visitors_[value]; }

 private:
  static constexpr std::uint32_t kNone = UINT32_MAX;

  /// The stored state of a visit: its newest version, and whether it exists in this version.
  struct State {
    std::uint64_t version = 0;
    bool is_there = false;
  };
  [[nodiscard]] std::uint32_t place_of(VisitKey visit);
  void read(const std::string& condition);
  void charge();
  void add(const NativeReader& block, std::size_t row);
  [[nodiscard]] std::uint32_t value(const NativeReader& block, std::size_t row,
                                    query::Column column, std::size_t& at);

  const ReadAccess access_;
  const Marks& marks_;
  const SiteId site_;
  const std::vector<query::Column> columns_;
  EventTexts& texts_;
  NodeKeys& keys_;
  query::Charges charges_;
  std::size_t charged_ = 0;    ///< Memory charged to the budget so far, in bytes.
  query::Numbering places_;    ///< Numbers the visits from 0.
  std::vector<State> states_;  ///< State of each visit, by its number in places_.
  /// Values of each visit, one per column, by the visit's number in places_.
  std::vector<std::uint32_t> values_;
  /// Number in places_ of each visit of the last require(); kNone for no visit.
  std::vector<std::uint32_t> required_;
  query::Numbering visitor_numbers_;     ///< Numbers the visitors from 0.
  std::vector<std::uint64_t> visitors_;  ///< Visitors, by their number in visitor_numbers_.
};

}  // namespace analytics::cluster
