#include "daemon/stats/answer.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "daemon/stats/group_index.h"
#include "daemon/stats/ranking.h"
#include "daemon/stats/stored_values.h"

namespace analytics {
namespace {

bool wants(const Query& query, Metric metric) {
  return std::find(query.metrics.begin(), query.metrics.end(), metric) != query.metrics.end();
}

bool has_dimension(const Query& query, Field field) {
  return std::any_of(query.dimensions.begin(), query.dimensions.end(),
                     [&](const auto& dimension) { return dimension.field == field; });
}

/// Applies `change` to every top-level condition and removes the conditions that it clears.
template <typename Change>
Filter with_top(Filter filter, const Change& change) {
  if (filter.kind != Filter::Kind::kAll) {
    change(filter);
    return filter;
  }
  for (auto& part : filter.parts) part = with_top(std::move(part), change);
  std::erase_if(filter.parts, is_everything);
  return filter;
}

bool is_value_of(const Filter& filter, Field field) {
  return filter.kind == Filter::Kind::kValue && filter.dimension.field == field;
}

Filter entered_at(const Filter& filter) {
  return with_top(filter, [](Filter& part) {
    if (is_value_of(part, Field::kPage)) part.dimension.field = Field::kEntryPage;
  });
}

/// The goals that every condition on goals at the top means.
std::vector<Goal> goals_meant(const Selection& selection) {
  auto goals = selection.goals;
  (void)with_top(selection.filter, [&](const Filter& part) {
    if (!is_value_of(part, Field::kGoal)) return;
    const TextMatcher matcher(part.match);
    std::erase_if(goals, [&](const Goal& goal) { return !matcher.matches(goal_name(goal)); });
  });
  return goals;
}

/// Collects the sums that the queries need. Each is computed once, and sums over the same events
/// share one run of the store.
class Plan {
 public:
  struct Part {
    std::size_t aggregation;
    std::size_t grouping;
  };

  Part add(Selection selection, Grouping grouping) {
    selection.filter = with_stored_values(std::move(selection.filter));
    auto at = std::find_if(aggregations_.begin(), aggregations_.end(),
                           [&](const auto& each) { return each.selection == selection; });
    if (at == aggregations_.end()) at = aggregations_.insert(at, {std::move(selection), {}});
    at->groupings.push_back(std::move(grouping));
    return {static_cast<std::size_t>(at - aggregations_.begin()), at->groupings.size() - 1};
  }
  [[nodiscard]] const std::vector<Aggregation>& aggregations() const { return aggregations_; }

 private:
  std::vector<Aggregation> aggregations_;
};

/// Holds what the store has found for a plan.
class Results {
 public:
  explicit Results(std::span<const store::StatsStore::Found> found) : found_(found) {}
  [[nodiscard]] Groups& of(const Plan::Part& part) const {
    return *found_[part.aggregation].groups[part.grouping];
  }
  [[nodiscard]] TotalsUse totals(const Plan::Part& part) const {
    return found_[part.aggregation].totals;
  }

 private:
  std::span<const store::StatsStore::Found> found_;
};

/// The groups of a query, and what else its metrics are computed from.
struct Counted {
  Groups& groups;
  std::optional<GroupIndex> entries{};   ///< Among the groups by entry page.
  std::optional<GroupIndex> everyone{};  ///< Among those without conditions on conversions.
  Wholes wholes{};
};

/// One query on its way: first what it needs, then its rows.
class Answering {
 public:
  Answering(const Query& query, Plan& plan) : query_(query), selection_(query.selection) {
    selection_.zone = query.zone;
    selection_.with_totals = can_add_totals(query);
    for (const auto& dimension : query.dimensions) {
      if (is_time(dimension.field)) {
        buckets_ = make_buckets(dimension.field, query.selection.range, query.zone);
      }
    }
    const auto& selection = selection_;
    const bool by_page = has_dimension(query, Field::kPage);
    const bool bounces = wants(query, Metric::kBounceRate);
    entries_are_durations_ = by_page && wants(query, Metric::kVisitDuration);
    entries_are_bounces_ = bounces && (by_page || has_condition(selection.filter, Field::kPage));
    if (entries_are_durations_ || entries_are_bounces_) {
      entries_ = plan.add(with_filter(entered_at(selection.filter)), entry_grouping());
    }
    const bool of_visits =
        std::any_of(query.metrics.begin(), query.metrics.end(),
                    [&](Metric metric) { return is_of_visits(metric) && !is_by_entry(metric); });
    base_ = plan.add(selection, grouping(query.dimensions, of_visits));
    Grouping of_visitors;
    of_visitors.events = false;
    if (wants(query, Metric::kPercentage)) all_ = plan.add(selection, of_visitors);
    const auto everyone = with_filter(without_conversions(selection.filter));
    if (wants(query, Metric::kConversionRate)) everyone_ = plan.add(everyone, of_visitors);
    if (wants(query, Metric::kGroupConversionRate)) {
      group_everyone_ = plan.add(everyone, grouping(group_dimensions(), false));
    }
  }

  [[nodiscard]] Answer rows(const Results& results) const {
    Counted counted{results.of(base_)};
    auto& groups = counted.groups;
    if (entries_) counted.entries.emplace(results.of(*entries_), groups, all_dimensions());
    if (group_everyone_) {
      counted.everyone.emplace(results.of(*group_everyone_), groups, lasting_dimensions());
    }
    if (all_) counted.wholes.visitors = results.of(*all_).sums(0).visitors;
    if (everyone_) counted.wholes.everyone = results.of(*everyone_).sums(0).visitors;
    Answer answer;
    answer.total_rows = groups.size();
    answer.buckets = buckets_;
    answer.totals = results.totals(base_);
    const auto last = query_.offset + std::min(query_.limit, SIZE_MAX - query_.offset);
    for (auto& [group, texts] :
         ranked(groups, query_.dimensions.size(), keys(counted), query_.offset, last)) {
      const auto bucket = groups.bucket(group);
      for (std::size_t i = 0; i < texts.size(); ++i) {
        if (is_time(query_.dimensions[i].field)) texts[i] = buckets_[bucket].label;
      }
      answer.rows.push_back({std::move(texts), values(counted, group), bucket});
    }
    return answer;
  }

 private:
  [[nodiscard]] bool is_by_entry(Metric metric) const {
    return (metric == Metric::kBounceRate && entries_are_bounces_) ||
           (metric == Metric::kVisitDuration && entries_are_durations_);
  }

  [[nodiscard]] Selection with_filter(Filter filter) const {
    auto selection = selection_;
    selection.filter = std::move(filter);
    return selection;
  }

  [[nodiscard]] Grouping grouping(const std::vector<Dimension>& dimensions, bool visits) const {
    Grouping grouping;
    grouping.dimensions = group_by(dimensions);
    for (const auto& bucket : buckets_) grouping.buckets.push_back(bucket.from);
    if (has_dimension(query_, Field::kGoal)) {
      grouping.goals = group_by_name(goals_meant(query_.selection));
    }
    grouping.events = std::any_of(query_.metrics.begin(), query_.metrics.end(), counts_events);
    grouping.visits = visits;
    grouping.revenue = std::any_of(query_.metrics.begin(), query_.metrics.end(), is_of_revenue);
    return grouping;
  }

  [[nodiscard]] Grouping entry_grouping() const {
    auto dimensions = query_.dimensions;
    for (auto& dimension : dimensions) {
      if (dimension.field == Field::kPage) dimension.field = Field::kEntryPage;
    }
    return grouping(dimensions, true);
  }

  [[nodiscard]] std::vector<std::size_t> all_dimensions() const {
    std::vector<std::size_t> places(query_.dimensions.size());
    std::iota(places.begin(), places.end(), std::size_t{0});
    return places;
  }
  /// Those that visitors have whether they convert or not.
  [[nodiscard]] std::vector<std::size_t> lasting_dimensions() const {
    auto places = all_dimensions();
    std::erase_if(places, [&](std::size_t place) {
      const auto field = query_.dimensions[place].field;
      return field == Field::kGoal || field == Field::kProp;
    });
    return places;
  }
  [[nodiscard]] std::vector<Dimension> group_dimensions() const {
    std::vector<Dimension> dimensions;
    for (const auto place : lasting_dimensions()) dimensions.push_back(query_.dimensions[place]);
    return dimensions;
  }

  [[nodiscard]] Value value(Counted& counted, std::size_t group, const Sums& sums,
                            Metric metric) const {
    if (is_by_entry(metric)) return value_of(metric, counted.entries->sums(group), counted.wholes);
    auto wholes = counted.wholes;
    if (metric == Metric::kGroupConversionRate) {
      wholes.group_everyone = counted.everyone->sums(group).visitors;
    }
    return value_of(metric, sums, wholes);
  }

  [[nodiscard]] std::vector<Value> values(Counted& counted, std::size_t group) const {
    const auto sums = counted.groups.sums(group);
    std::vector<Value> values;
    for (const auto metric : query_.metrics) {
      values.push_back(value(counted, group, sums, metric));
    }
    return values;
  }

  /// The query's order and then, so that pages never overlap, all dimensions.
  [[nodiscard]] std::vector<RankKey> keys(Counted& counted) const {
    std::vector<RankKey> keys;
    for (const auto& key : query_.order.empty() ? default_order(query_) : query_.order) {
      if (key.metric) {
        keys.push_back(metric_key(counted, *key.metric, key.descending));
      } else {
        const auto at =
            std::find(query_.dimensions.begin(), query_.dimensions.end(), key.dimension);
        keys.push_back(dimension_key(counted.groups,
                                     static_cast<std::size_t>(at - query_.dimensions.begin()),
                                     key.descending));
      }
    }
    for (const auto place : all_dimensions()) {
      keys.push_back(dimension_key(counted.groups, place, false));
    }
    return keys;
  }

  [[nodiscard]] RankKey metric_key(Counted& counted, Metric metric, bool descending) const {
    RankKey key;
    key.numbers.reserve(counted.groups.size());
    for (std::size_t group = 0; group < counted.groups.size(); ++group) {
      const auto value = this->value(counted, group, counted.groups.sums(group), metric);
      const auto* number = std::get_if<double>(&value);
      // What is not there stands last.
      key.numbers.push_back(number == nullptr ? std::numeric_limits<double>::infinity()
                            : descending      ? -*number
                                              : *number);
    }
    return key;
  }

  [[nodiscard]] RankKey dimension_key(const Groups& groups, std::size_t place,
                                      bool descending) const {
    RankKey key{{}, place, descending};
    if (!is_time(query_.dimensions[place].field)) return key;
    for (std::size_t group = 0; group < groups.size(); ++group) {
      const auto bucket = static_cast<double>(groups.bucket(group));
      key.numbers.push_back(descending ? -bucket : bucket);
    }
    return key;
  }

  const Query& query_;
  Selection selection_;
  std::vector<Bucket> buckets_;
  Plan::Part base_{};
  bool entries_are_bounces_ = false;
  bool entries_are_durations_ = false;
  std::optional<Plan::Part> entries_;
  std::optional<Plan::Part> all_;
  std::optional<Plan::Part> everyone_;
  std::optional<Plan::Part> group_everyone_;
};

}  // namespace

std::vector<Row> every_bucket(const Query& query, const Answer& answer) {
  std::vector<Value> nothing;
  for (const auto metric : query.metrics) nothing.push_back(value_of(metric, {}));
  std::vector<Row> rows;
  for (const auto& bucket : answer.buckets) rows.push_back({{bucket.label}, nothing, rows.size()});
  for (const auto& row : answer.rows) rows[row.bucket].metrics = row.metrics;
  return rows;
}

bool can_add_totals(const Query& query) {
  return is_everything(query.selection.filter) && query.dimensions.size() <= 1 &&
         !has_dimension(query, Field::kHour);
}

Filter without_conversions(const Filter& filter) {
  return with_top(filter, [](Filter& part) {
    if (is_value_of(part, Field::kGoal) || is_value_of(part, Field::kProp)) part = {};
  });
}

std::vector<OrderKey> default_order(const Query& query) {
  std::vector<OrderKey> order;
  for (const auto& dimension : query.dimensions) {
    if (is_time(dimension.field)) order.push_back({{}, dimension, false});
  }
  const auto metric = std::find_if_not(query.metrics.begin(), query.metrics.end(), is_of_revenue);
  if (metric != query.metrics.end()) order.push_back({*metric, {}, true});
  return order;
}

bool has_condition(const Filter& filter, Field field) {
  if (filter.kind == Filter::Kind::kValue) return filter.dimension.field == field;
  if (filter.kind == Filter::Kind::kHasDone) return false;
  return std::any_of(filter.parts.begin(), filter.parts.end(),
                     [&](const Filter& part) { return has_condition(part, field); });
}

Result<std::vector<Answer>> answer(std::span<const Query> queries, store::StatsStore& store) {
  Plan plan;
  std::vector<Answering> all;
  all.reserve(queries.size());
  for (const auto& query : queries) all.emplace_back(query, plan);
  std::vector<Answer> answers;
  answers.reserve(all.size());
  const auto done = store.run(plan.aggregations(), [&](auto found) {
    for (const auto& each : all) answers.push_back(each.rows(Results(found)));
  });
  if (!done) return fail(done.error());
  return answers;
}

Result<Answer> answer(const Query& query, store::StatsStore& store) {
  auto answers = answer(std::span(&query, 1), store);
  if (!answers) return fail(answers.error());
  return std::move(answers->front());
}

}  // namespace analytics
