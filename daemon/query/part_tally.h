#pragma once

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "daemon/query/part_lists.h"
#include "daemon/query/part_rows.h"
#include "daemon/query/tally.h"

namespace analytics::query {

/// Sums the accepted rows of one part by one grouping, and then adds them to the tally's groups.
///
/// All rows of a visitor, and of a visit that is not shared, are next to each other: so comparing
/// with the last visitor that a group had tells exactly whether this one is new in it, without a
/// set. Rows are counted in cells, which are small numbers of the part's own.
class PartTally {
 public:
  /// `visits`: numbers of shared visits, the same for parts and rows of a scan. Called under
  /// `mutex`, which is that of the part's runner. The arguments must outlive the object.
  PartTally(Tally& tally, EventPart& part, Numbering& visits, std::mutex& mutex);

  void add(PartRows& block, const RowList& rows);
  /// Adds the sums to the tally, under the mutex. Throws LimitReached.
  void finish();
  /// Bytes that are not charged to the budget.
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
    std::uint64_t seconds = 0;
    std::uint32_t visits = 0;
    std::uint32_t bounces = 0;
    std::uint32_t last_visit = kNone;
  };
  /// Some seconds of the part: in which bucket they are, and when the next one begins, if it does.
  struct Slot {
    std::uint32_t bucket;
    std::uint32_t next_begins;
  };
  /// A dimension in this part.
  struct Level {
    std::vector<std::uint32_t> of_code;  ///< By code: the place of its value in `values`.
    std::vector<std::uint32_t> values;   ///< The tally's number of each value. Empty: they are it.
    std::optional<PartLists> lists;
    std::vector<Slot> slots;  ///< Time buckets, if time is the dimension: a slot for each
    unsigned slot_bits = 0;   ///< two to the power of so many seconds.
    std::uint64_t size = 0;   ///< A bound of the values' places.
    // A cell is the one above times `size` plus the value or, if that could be too many:
    bool is_numbered = false;
    Numbering cells{};                   ///< numbers each pair of a cell above and a value,
    std::vector<std::uint64_t> pairs{};  ///< and keeps it.
  };

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
  template <bool kCountsEvents>
  void count_visitors(PartRows& block);
  void count_visits(PartRows& block);
  void sum_revenue(PartRows& block);
  [[nodiscard]] std::uint32_t group_of(std::uint32_t cell);

  Tally& tally_;
  EventPart& part_;
  Numbering& visit_numbers_;
  std::vector<Level> levels_;
  std::vector<std::uint32_t> is_shared_;  ///< By visit; empty if no visits are counted.
  // The block's rows in cells: a row may be in several.
  std::vector<std::uint32_t> rows_;
  std::vector<std::uint32_t> cells_;
  std::vector<std::uint32_t> codes_;
  std::vector<std::uint32_t> room_;
  std::vector<std::uint32_t> values_;  ///< Those that one cell stands for.
  bool is_whole_block_ = false;        ///< The rows are all of the block, in order.
  std::vector<Counts> counts_;         ///< By cell.
  std::vector<VisitCounts> visit_counts_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> shared_;             ///< Cells and visits.
  std::map<std::pair<std::uint32_t, std::int64_t>, RevenueTotal> revenue_;  ///< By cell, currency.
};

}  // namespace analytics::query
