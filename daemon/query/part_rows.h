#pragma once

#include <array>
#include <span>
#include <vector>

#include "daemon/query/events/event_batch.h"
#include "daemon/query/events/event_part.h"

namespace analytics::query {

/// Reads a part's rows block by block. A row is an event or, if the query needs no column of
/// single events, a visit, which then represents all its events in the part.
class PartRows {
 public:
  /// Returns true if one of `columns` must be read for each event, because it can differ between
  /// events of a visit. kIsPageview is no such column: each visit has a count of its pageviews.
  [[nodiscard]] static bool reads_events(const ColumnSet& columns);
  /// Adds to `columns` those that must be loaded as well: the time, if the range contains only some
  /// of the part's events.
  static void add_columns_of(const EventPart& part, const TimeRange& range, ColumnSet& columns);

  /// Reads the part's rows in the range. The rows are visits if `columns` has no column of single
  /// events and the range contains the whole part. The part must outlive the object.
  PartRows(EventPart& part, const TimeRange& range, const ColumnSet& columns);
  /// Reads all visits of the part.
  explicit PartRows(EventPart& part) : PartRows(part, part.range(), {}) {}

  [[nodiscard]] bool are_visits() const { return kind_ == Kind::kVisits; }
  /// Moves to the next block; returns false after the last block.
  bool next();
  /// Replaces `rows` with the block's rows in the range. `is_accepted` has an entry for each visit
  /// of the part, which is 0 to leave out the visit's events; if it has no entries, no visit is
  /// left out. REQUIRES: `is_accepted` is empty if the rows are visits.
  void select(std::span<const std::uint8_t> is_accepted, RowList& rows);
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] EventPart& part() const { return part_; }
  /// Returns the index of the block's first row in the part.
  [[nodiscard]] std::size_t first() const { return first_; }

  /// Returns the value of each row, as EventPart defines it: a code if the column has numbers();
  /// for kVisit the index of the visit. The column is read on first use. The result is valid until
  /// next(). REQUIRES: the column was loaded and, if the rows are visits, EventPart::by_visit()
  /// accepts it.
  [[nodiscard]] std::span<const std::uint32_t> operator[](Column column);
  /// Return the number of events, and of pageviews, of each row.
  [[nodiscard]] std::span<const std::uint32_t> events();
  [[nodiscard]] std::span<const std::uint32_t> pageviews();

 private:
  enum class Kind { kEvents, kVisits };
  /// A column's values in a block.
  struct Cached {
    /// first() of the block that has the values; SIZE_MAX if none were read yet.
    std::size_t block = SIZE_MAX;
    std::vector<std::uint32_t> values;
  };

  /// Calls use(visit, first, end) for each visit of a block of events. `first` and `end` are the
  /// indexes of the visit's first event in the block and just past its last.
  template <typename Use>
  void for_each_visit(const Use& use) const;

  EventPart& part_;
  const Kind kind_;
  const bool is_whole_;  ///< True if the range contains the whole part.
  /// Bounds of the range, in seconds after the beginning of the part's range.
  const std::int64_t from_;
  const std::int64_t to_;
  std::size_t first_ = 0;
  std::size_t size_ = 0;
  /// Index of the visit of the block's first event; not used if the rows are visits.
  std::uint32_t visit_ = 0;
  std::array<Cached, kColumns> cached_;
};

}  // namespace analytics::query
