#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "daemon/model/groups.h"
#include "daemon/query/engagement_sums.h"
#include "daemon/query/events/flat_table.h"
#include "daemon/query/events/value_numbers.h"
#include "daemon/query/group_numbers.h"

namespace analytics::query {

/// Tells whether a thing (a visitor or a visit) appears in a group for the first time. Most things
/// appear in one group only, so the last group of each is kept in an array, and only things in
/// several groups need a hash set.
class DistinctCounter {
 public:
  /// Returns true if the thing appears in the group for the first time.
  bool insert(std::uint32_t thing, std::uint32_t group) {
    if (thing >= last_.size()) grow(thing);
    auto& last = last_[thing];
    if (last == group) return false;
    const bool is_first = last == kNone;
    if (!is_first) others_.insert(key(thing, last));
    last = group;
    return is_first || others_.insert(key(thing, group));
  }
  [[nodiscard]] std::size_t memory() const {
    return last_.capacity() * sizeof(last_[0]) + others_.memory();
  }

 private:
  static constexpr std::uint32_t kNone = UINT32_MAX;
  static std::uint64_t key(std::uint32_t thing, std::uint32_t group) {
    return std::uint64_t{thing} << 32 | group;
  }
  void grow(std::uint32_t thing);

  std::vector<std::uint32_t> last_;  ///< For each thing: the group that it appeared in last.
  /// Pairs of a thing and a group that it appeared in, for things in several groups.
  FlatSet others_;
};

/// The rows of a batch that the filter accepts, with the numbers of their visitors and visits in
/// this scan.
struct AcceptedRows {
  const EventBatch& batch;
  const RowList& rows;
  std::span<const std::uint32_t> visitors;  ///< Number of each row's visitor, by index in `rows`.
  /// Number of each row's visit, by index in `rows`; empty if visits are not counted.
  std::span<const std::uint32_t> visits;
};

/// Adds to `columns` those that the grouping reads.
void add_columns_of(const Grouping& grouping, ColumnSet& columns);

/// Numbers the values of a dimension; exactly one member is set.
struct DimensionNumbers {
  /// Set if each event has one text: assigns the ids of texts.
  std::optional<ValueNumbers> values{};
  /// Set if the dimension is time: finds the time buckets.
  std::optional<BucketNumbers> buckets{};
  /// Set if an event can have several values: assigns their ids.
  std::unique_ptr<ListNumbers> list{};
};

/// A running total of revenue, in 128 bits so that no order of events makes it overflow.
struct RevenueTotal {
  __extension__ __int128 micros = 0;
  std::int64_t events = 0;
};

/// The sums of each group except revenue, which few groups have. Sums that the grouping does not
/// need take no memory, because access to memory dominates the time of queries with many groups.
struct GroupSums {
  struct Events {
    std::int64_t events = 0;
    std::int64_t pageviews = 0;
  };
  struct Visits {
    std::int64_t visits = 0;
    FactSums facts{};
  };
  /// Number of visitors in each group. The other members also have an entry per group.
  std::vector<std::int64_t> visitors{};
  std::vector<Events> events{};  ///< Sums of events; empty if the grouping does not count events.
  std::vector<Visits> visits{};  ///< Sums of visits; empty if the grouping does not count visits.
};

/// Sums events by a grouping and holds the resulting groups. The functions of Groups may be called
/// only after finish().
class Tally final : public Groups {
 public:
  /// The arguments must outlive the tally.
  Tally(const Grouping& grouping, Texts& texts, Budget& budget);

  /// Adds the rows of a batch that the query's filter accepts. Throws LimitReached if the query's
  /// memory or time is used up.
  void add(const AcceptedRows& accepted);
  /// Adds the sums of a group that the EventSource has computed.
  void add(const SourceGroup& group);

  // PartTally adds the sums of a part through the functions from here to check_budget().
  [[nodiscard]] const Grouping& grouping() const { return grouping_; }
  [[nodiscard]] DimensionNumbers& numbers(std::size_t dimension) {
    return levels_[dimension].numbers;
  }
  /// Returns the group with these values, one per dimension; adds the group if it is new.
  [[nodiscard]] std::uint32_t group_of(std::span<const std::uint32_t> values);
  /// Returns the sums, which have an entry for every group that group_of() has returned.
  [[nodiscard]] GroupSums& sums() { return sums_; }
  /// Counts a visitor in a group, but only once. `visitor`: the visitor's number in this scan.
  void add_visitor(std::uint32_t visitor, std::uint32_t group);
  /// Counts a visit in a group, but only once. `visit`: the visit's number in this scan;
  /// `facts`: the facts of the visit.
  void add_visit(std::uint32_t visit, std::uint32_t group, const FactSums& facts);
  void add_revenue(std::uint32_t group, std::int64_t currency, const RevenueTotal& revenue);
  /// Throws LimitReached if the query's memory or time is used up.
  void check_budget() const { charges_.budget().check(memory()); }

  /// Frees the memory that only counting needs, and charges the rest to the budget. Call it after
  /// all events have been added.
  void finish();

  [[nodiscard]] std::size_t size() const override { return sums_.visitors.size(); }
  [[nodiscard]] Sums sums(std::size_t group) override;
  [[nodiscard]] std::size_t bucket(std::size_t group) const override;
  [[nodiscard]] std::uint32_t value(std::size_t group, std::size_t dimension) const override;
  [[nodiscard]] Space space(std::size_t dimension) const override;
  [[nodiscard]] std::string text(std::size_t dimension, std::uint32_t value) override;

  /// Returns the memory that the tally uses but has not charged to the budget, in bytes.
  [[nodiscard]] std::size_t memory() const;

 private:
  /// A row that the filter accepts, with its group in a level. `place`: index in
  /// AcceptedRows::rows.
  struct Entry {
    std::uint32_t place;
    /// Group of the row in the last level that has grouped it; 0 before the first level.
    std::uint32_t group;
  };
  using Entries = std::vector<Entry>;

  /// A dimension of the grouping. Its groups are those of the previous level, split by the
  /// dimension's values.
  struct Level {
    DimensionNumbers numbers;
    GroupNumbers groups;
    /// By index in the accepted rows: the id of the row's value in this dimension.
    std::vector<std::uint32_t> of_places;
    /// The accepted rows with their groups in this level; the next level splits these groups.
    Entries entries;
  };

  void descend(const AcceptedRows& accepted, std::size_t depth, const Entries& entries);
  void sum_up(const AcceptedRows& accepted, const Entries& entries);
  void sum_visit(const AcceptedRows& accepted, const Entry& entry);
  void sum_engagements(const AcceptedRows& accepted, const Entries& entries);
  [[nodiscard]] std::map<std::string, RevenueSum> revenue_of(std::uint32_t group);
  [[nodiscard]] std::uint32_t value_at(std::size_t group, std::size_t level) const;
  std::uint32_t group_of(Level& level, std::uint32_t above, std::uint32_t value);
  void add_group();
  const Grouping& grouping_;
  Texts& texts_;
  Charges charges_;
  std::vector<Level> levels_;
  /// All accepted rows of the batch, before the first level splits them into groups.
  Entries entries_;
  GroupSums sums_;  ///< Sums of each group of the last level.
  /// Sums of revenue, by group and by the EventSource's id of the currency.
  std::map<std::pair<std::uint32_t, std::int64_t>, RevenueTotal> revenue_;
  EngagementSums engagements_;
  DistinctCounter visitors_;
  DistinctCounter visits_;
  /// Index in levels_ of the time dimension, if there is one.
  std::optional<std::size_t> time_level_;
};

}  // namespace analytics::query
