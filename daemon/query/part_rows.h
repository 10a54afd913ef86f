#pragma once

#include <array>
#include <span>
#include <vector>

#include "daemon/query/event_batch.h"
#include "daemon/query/event_part.h"

namespace analytics::query {

/// A block of a part's rows at a time. The rows are its events or, where a query needs nothing of
/// single events, its visits: then a row stands for all events of a visit in the part.
class PartRows {
 public:
  /// True if the columns tell events of a visit apart.
  [[nodiscard]] static bool reads_events(const ColumnSet& columns);
  /// Adds what the part must load beside a query's own columns.
  static void add_columns_of(const EventPart& part, const TimeRange& range, ColumnSet& columns);

  /// Reads the part's rows in the range, by visits if nobody reads a column of single events and
  /// the range holds all of the part. The part must outlive the object.
  PartRows(EventPart& part, const TimeRange& range, const ColumnSet& columns);
  /// Reads all visits.
  explicit PartRows(EventPart& part) : PartRows(part, part.range(), {}) {}

  [[nodiscard]] bool are_visits() const { return kind_ == Kind::kVisits; }
  /// Goes to the next block; false behind the last.
  bool next();
  /// Replaces `rows` by those of the block's rows that are in the range. `is_accepted`: by visit, 0
  /// if its events are not wanted; empty if all are. REQUIRES: empty if the rows are visits.
  void select(std::span<const std::uint8_t> is_accepted, RowList& rows);
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] EventPart& part() const { return part_; }
  /// The place of the block's first row in the part.
  [[nodiscard]] std::size_t first() const { return first_; }

  /// Returns each row's value, as EventPart has them: a code, where the column has numbers(); of
  /// kVisit the visit's place. It is read when it is first asked for. Valid until next(). REQUIRES:
  /// a column that the kind of rows has.
  [[nodiscard]] std::span<const std::uint32_t> operator[](Column column);
  /// Returns the number of events of each row, and the pageviews among them.
  [[nodiscard]] std::span<const std::uint32_t> events();
  [[nodiscard]] std::span<const std::uint32_t> pageviews();

 private:
  enum class Kind { kEvents, kVisits };
  struct Cached {
    std::size_t block = SIZE_MAX;
    std::vector<std::uint32_t> values;
  };

  /// Calls use(visit, first, end) for each visit of a block of events, with the places of its
  /// events in the block.
  template <typename Use>
  void for_each_visit(const Use& use) const;

  EventPart& part_;
  const Kind kind_;
  const bool is_whole_;      ///< The range holds the part.
  const std::int64_t from_;  ///< The range, in seconds from the beginning of the part's.
  const std::int64_t to_;
  std::size_t first_ = 0;
  std::size_t size_ = 0;
  std::uint32_t visit_ = 0;  ///< The visit of the block's first event.
  std::array<Cached, kColumns> cached_;
};

}  // namespace analytics::query
