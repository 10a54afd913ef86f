#pragma once

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "daemon/query/part_lists.h"
#include "daemon/query/part_rows.h"
#include "daemon/query/tally.h"

namespace analytics::query {

/// Sums, by a single grouping, the rows of a part that the query's filter accepts. Then adds the
/// sums to the groups of a tally.
///
/// All rows of a visitor and of a visit are next to each other. Comparing a row with the last
/// visitor of its group therefore tells exactly whether the visitor is new in the group, without a
/// set; only visitors of shared visits need one. Within the part, rows are counted by cell: a cell
/// is a small number for a combination of one value per dimension. finish() turns each cell into a
/// group of the tally.
class PartTally {
 public:
  /// The numbers of visitors and visits that all parts and rows of a scan share.
  struct ScanNumbers {
    Numbering& visitors;
    Numbering& visits;
  };
  /// `numbers` are extended under `mutex`, the mutex of the PartRunner. The arguments must outlive
  /// the object.
  PartTally(Tally& tally, EventPart& part, ScanNumbers numbers, std::mutex& mutex);

  /// Counts `rows`, those rows of a block that the filter accepts.
  void add(PartRows& block, const RowList& rows);
  /// Adds the sums to the tally. Must be called under the mutex. Throws LimitReached if the query's
  /// budget is used up.
  void finish();
  /// Returns the memory that the object uses but has not charged to the budget, in bytes.
  [[nodiscard]] std::size_t memory() const;

 private:
  static constexpr std::uint32_t kNone = UINT32_MAX;

  struct Counts {
    std::uint32_t events = 0;
    std::uint32_t pageviews = 0;
    std::uint32_t visitors = 0;
    std::uint32_t last_visitor = kNone;
  };
  struct VisitCounts {
    FactSums facts{};
    std::uint32_t visits = 0;
    std::uint32_t last_visit = kNone;
  };
  /// A short period of the part in which at most one time bucket begins.
  struct Slot {
    std::uint32_t bucket;  ///< The time bucket at the beginning of the slot.
    /// Seconds from the beginning of the part's range to that of the next bucket; UINT32_MAX if no
    /// bucket begins in the slot.
    std::uint32_t next_begins;
  };
  /// A dimension of the grouping, with the values that it has in this part.
  struct Level {
    /// For each code of the dimension's column: index of the code's value in `values`.
    std::vector<std::uint32_t> of_code;
    /// For each value of the dimension that occurs in the part: the id that the tally gave to it.
    /// Empty for time and for lists, where a value's index is its id in the tally.
    std::vector<std::uint32_t> values;
    /// Finds the values of an event; set if an event can have several.
    std::optional<PartLists> lists;
    /// Set if the dimension is time: the slots of the part, each 2^slot_bits seconds long.
    std::vector<Slot> slots;
    unsigned slot_bits = 0;
    std::uint64_t size = 0;  ///< Upper bound: the index of every value is less.
    /// If false, a cell is the cell of the previous level times `size`, plus the index of the
    /// value. If true, that could give too many cells, so `cells` numbers only those that occur.
    bool is_numbered = false;
    /// Numbers the pairs of a cell of the previous level and a value; used if is_numbered.
    Numbering cells{};
    /// For each cell: the cell of the previous level (high 32 bits) and the value. Used if
    /// is_numbered.
    std::vector<std::uint64_t> pairs{};
  };

  void find_shared_visitors();
  void prepare(Level& level, DimensionNumbers& numbers, std::uint64_t cells_above,
               std::mutex& mutex);
  void prepare_values(Level& level, ValueNumbers& numbers) const;
  void prepare_slots(Level& level, const BucketNumbers& buckets) const;
  void assign_cells(PartRows& block, const RowList& rows);
  void descend(Level& level, DimensionNumbers& numbers, PartRows& block);
  void descend_lists(Level& level);
  [[nodiscard]] const std::uint32_t* by_place(std::span<const std::uint32_t> values,
                                              std::vector<std::uint32_t>& room) const;
  [[nodiscard]] static std::uint32_t cell_of(Level& level, std::uint32_t above,
                                             std::uint32_t value);
  void count(PartRows& block);
  template <bool kCountsEvents, bool kHasShared>
  void count_visitors(PartRows& block);
  void count_visits(PartRows& block);
  void sum_revenue(PartRows& block);
  [[nodiscard]] std::uint32_t group_of(std::uint32_t cell);

  Tally& tally_;
  EventPart& part_;
  ScanNumbers numbers_;
  std::vector<Level> levels_;
  /// By visit: 1 for a shared visit, else 0; empty if the grouping does not count visits.
  std::vector<std::uint32_t> is_shared_;
  /// By visitor: 1 + index in shared_visits() of one of the visitor's visits; 0 if none is shared.
  /// Empty if no visit of the part is shared.
  std::vector<std::uint32_t> shared_of_visitor_;
  // The block's rows and the cell of each; a row with several values in a dimension occurs several
  // times.
  std::vector<std::uint32_t> rows_;
  std::vector<std::uint32_t> cells_;
  // Buffers of descend_lists(): the rows and their cells in the level above.
  std::vector<std::uint32_t> rows_above_;
  std::vector<std::uint32_t> cells_above_;
  std::vector<std::uint32_t> codes_;   ///< Buffer of descend().
  std::vector<std::uint32_t> room_;    ///< Buffer for by_place().
  std::vector<std::uint32_t> values_;  ///< Buffer of group_of(): a cell's values, by dimension.
  bool is_whole_block_ = false;        ///< True if rows_ are all rows of the block, in order.
  std::vector<Counts> counts_;         ///< Sums of each cell.
  /// Sums of visits of each cell; empty if the grouping counts no visits.
  std::vector<VisitCounts> visit_counts_;
  /// Pairs of a cell and a shared visit. finish() counts them, because other parts or rows may
  /// contain the same visit.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> shared_;
  /// Pairs of a cell and a visitor with a shared visit. finish() counts them, because other parts
  /// or rows may contain the same visitor.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> shared_visitors_;
  /// Sums of revenue, by cell and by the EventSource's id of the currency.
  std::map<std::pair<std::uint32_t, std::int64_t>, RevenueTotal> revenue_;
};

}  // namespace analytics::query
