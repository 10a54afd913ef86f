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
#include "daemon/query/flat_table.h"

namespace analytics::cluster {

/// Identifies a visit of any node by one number, because each node numbers its own visits. 0: no
/// visit.
using VisitKey = std::uint64_t;

/// Makes keys from a node and the number of a visit or event.
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
  std::uint64_t place_of(NodeNumber node);

  std::vector<NodeNumber> nodes_;
};

/// The current visits of a site's events that have moved to another visit since they were stored.
class VisitMoves {
 public:
  /// Reads all moves of the site. Throws as AnswerRows. `keys` must outlive the object.
  VisitMoves(const ReadAccess& access, const Marks& marks, SiteId site, NodeKeys& keys);
  /// Reads the moves again.
  void refresh(const ReadAccess& access, const Marks& marks);
  /// Sets `visits` to the visits that the block's events belong to now. REQUIRES: the block's first
  /// columns are event_columns().
  void find(const NativeReader& block, std::vector<VisitKey>& visits) const;
  /// Returns the visits that were merged into one of `visits`.
  [[nodiscard]] std::vector<VisitKey> visits_in(const std::unordered_set<VisitKey>& visits) const;
  /// Returns the events that were moved, one by one, to one of `visits`.
  [[nodiscard]] std::vector<VisitKey> events_in(const std::unordered_set<VisitKey>& visits) const;
  /// Returns the columns that name an event, its node and the visit in its row.
  [[nodiscard]] static std::vector<AskedColumn> event_columns();

 private:
  [[nodiscard]] VisitKey visit_of(VisitKey event, VisitKey visit) const;

  using Winners = std::unordered_map<VisitKey, VisitKey>;
  const SiteId site_;
  NodeKeys& keys_;
  query::Charges charges_;
  Winners of_events_;
  Winners of_visits_;
};

/// Values of visits in memory: of visits born on some days, and of others when they are needed.
/// Functions throw as AnswerRows.
class VisitTable {
 public:
  /// The references must outlive the object.
  VisitTable(const ReadAccess& access, const Marks& marks, SiteId site,
             const query::ColumnSet& columns, EventTexts& texts, NodeKeys& keys);

  /// Returns the columns of visits that are read.
  [[nodiscard]] const std::vector<query::Column>& columns() const { return columns_; }
  /// Reads the visits that were born from `first` to `last`.
  void load(Days first, Days last);
  /// Finds these visits, and reads the unknown ones.
  void require(std::span<const VisitKey> visits);
  /// Returns the values of visit `at` of the last require(), in the order of columns(); null if the
  /// visit is 0 or missing. Valid until the next load() or require().
  [[nodiscard]] const std::uint32_t* required(std::size_t at) const;
  /// Returns the id that a value of kVisitor stands for.
  [[nodiscard]] std::uint64_t visitor(std::uint32_t value) const { return visitors_[value]; }

 private:
  static constexpr std::uint32_t kNone = UINT32_MAX;

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
  std::size_t charged_ = 0;
  query::Numbering places_;
  std::vector<State> states_;            ///< States of visits, by place.
  std::vector<std::uint32_t> values_;    ///< Values of visits, by place: one for each column.
  std::vector<std::uint32_t> required_;  ///< Places of the visits that were required last.
  query::Numbering visitor_numbers_;
  std::vector<std::uint64_t> visitors_;  ///< By number.
};

}  // namespace analytics::cluster
