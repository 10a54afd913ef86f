#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "daemon/model/query.h"
#include "daemon/stats/answer.h"
#include "daemon/stats/group_index.h"
#include "daemon/stats/ranking.h"
#include "daemon/store/stats_store.h"

namespace analytics {

/// Collects the sums that queries need. Sums over the same events share an aggregation, so that the
/// store reads the events once.
class Plan {
 public:
  /// The place of a grouping in the plan.
  struct Part {
    std::size_t aggregation;  ///< Index in aggregations().
    std::size_t grouping;     ///< Index in the aggregation's groupings.
  };
  /// Adds a grouping of the selected events, and returns its place.
  Part add(Selection selection, Grouping grouping);
  [[nodiscard]] const std::vector<Aggregation>& aggregations() const { return aggregations_; }

 private:
  std::vector<Aggregation> aggregations_;
};

/// The results of a plan that the store has run.
class Results {
 public:
  explicit Results(std::span<const store::StatsStore::Found> found) : found_(found) {}
  /// Returns the groups of a grouping of the plan.
  [[nodiscard]] Groups& of(const Plan::Part& part) const {
    return *found_[part.aggregation].groups[part.grouping];
  }
  /// Returns the result of the aggregation that contains the grouping.
  [[nodiscard]] const store::StatsStore::Found& found(const Plan::Part& part) const {
    return found_[part.aggregation];
  }

 private:
  std::span<const store::StatsStore::Found> found_;
};

/// Answers a query in two steps: the constructor adds the sums that the query needs to a plan, and
/// rows() computes the answer's rows from the results of the plan.
class Answering {
 public:
  /// `query` must outlive the object.
  Answering(const Query& query, Plan& plan);
  [[nodiscard]] Answer rows(const Results& results) const;

 private:
  /// The groups of a query, and indexes that find each group's counterpart among other groups of
  /// the plan, whose sums the query's metrics also need.
  struct Counted {
    Groups& groups;
    /// Finds a group's counterpart among the groups by entry page.
    std::optional<GroupIndex> entries{};
    /// Finds a group's counterpart among the groups of engagements.
    std::optional<GroupIndex> engagements{};
    /// Finds the counterpart of an exit page's group among the groups by page.
    std::optional<GroupIndex> pages{};
    /// Finds the group of the same time bucket that counts everyone who could have converted.
    std::optional<GroupIndex> everyone{};
    /// Finds the group with the same values in all dimensions except goals that counts everyone who
    /// could have converted.
    std::optional<GroupIndex> group_everyone{};
    Wholes wholes{};
  };
  /// For each time bucket: its group; nullopt if the bucket has no events.
  using GroupsOfBuckets = std::vector<std::optional<std::size_t>>;
  /// The groups of Query::before, the range that the query compares with, and the index that finds
  /// the group of an answer's row among them.
  struct Before {
    Counted counted;
    GroupIndex index;
    GroupsOfBuckets of_buckets{};  ///< Group of each time bucket; set only for a series over time.
  };
  /// A row before its metrics are computed.
  struct Place {
    /// The row's group; nullopt for a time bucket without events.
    std::optional<std::size_t> group;
    std::vector<std::string> texts;  ///< Text of each dimension.
    std::size_t bucket = 0;          ///< Index of the time bucket, if a dimension is time.
  };

  [[nodiscard]] GroupsOfBuckets by_bucket(const Groups& groups) const;
  [[nodiscard]] Before count_before(const Results& results, Groups& groups) const;
  void plan_rates(Plan& plan);
  void plan_engagements(Plan& plan);
  [[nodiscard]] bool wants(Metric metric) const;
  [[nodiscard]] bool has_dimension(Field field) const;
  [[nodiscard]] bool is_by_entry(Metric metric) const;
  [[nodiscard]] bool is_series() const;
  [[nodiscard]] Selection with_filter(Filter filter) const;
  [[nodiscard]] Grouping grouping(const std::vector<Dimension>& dimensions, bool visits) const;
  [[nodiscard]] Grouping entry_grouping() const;
  [[nodiscard]] Grouping page_grouping() const;
  [[nodiscard]] std::vector<std::size_t> all_dimensions() const;
  [[nodiscard]] std::vector<std::size_t> lasting_places() const;
  [[nodiscard]] std::vector<std::size_t> time_places() const;
  [[nodiscard]] Grouping visitors_by(const std::vector<std::size_t>& places) const;

  [[nodiscard]] Counted count(const Results& results) const;
  [[nodiscard]] std::optional<GroupPlaces> chosen(Groups& groups) const;
  [[nodiscard]] std::vector<Place> page_of(Counted& counted,
                                           std::optional<GroupPlaces> among) const;
  [[nodiscard]] std::vector<Place> page_of_series(Counted& counted) const;
  [[nodiscard]] std::optional<Row::Earlier> earlier(Before& before, const Place& place) const;
  [[nodiscard]] Value value(Counted& counted, std::size_t group, const Sums& sums,
                            Metric metric) const;
  [[nodiscard]] std::vector<Value> values(Counted& counted, std::optional<std::size_t> group) const;
  [[nodiscard]] std::vector<RankKey> keys(Counted& counted) const;
  [[nodiscard]] RankKey metric_key(Counted& counted, Metric metric, bool descending) const;
  [[nodiscard]] RankKey dimension_key(const Groups& groups, std::size_t place,
                                      bool descending) const;

  const Query& query_;
  Selection selection_;
  std::vector<Bucket> buckets_;
  Plan::Part base_{};  ///< Place in the plan of the groups that the rows show.
  // Places of further sums in the plan. Each is set only if a metric needs it:
  std::optional<Plan::Part> entries_;  ///< Sums by entry page, for bounce rates and durations.
  /// Sums of engagements, for times on pages and scroll depths.
  std::optional<Plan::Part> engagements_;
  std::optional<Plan::Part> pages_;           ///< Pageviews by page, for exit rates.
  std::optional<Plan::Part> all_;             ///< All visitors of the query, for percentages.
  std::optional<Plan::Part> everyone_;        ///< Visitors for Wholes::everyone.
  std::optional<Plan::Part> group_everyone_;  ///< Visitors for Wholes::group_everyone.
  // The query for the range Query::before, and its Answering; null if there is no such range.
  std::unique_ptr<const Query> earlier_query_;
  std::unique_ptr<const Answering> earlier_;
};

}  // namespace analytics
