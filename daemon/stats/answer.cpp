#include "daemon/stats/answer.h"

#include <algorithm>
#include <map>

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
  Status run(store::StatsStore& store) {
    auto groups = store.run(aggregations_);
    if (!groups) return fail(groups.error());
    groups_ = std::move(*groups);
    return {};
  }
  [[nodiscard]] const std::vector<Group>& groups(const Part& part) const {
    return groups_[part.aggregation][part.grouping];
  }

 private:
  std::vector<Aggregation> aggregations_;
  std::vector<std::vector<std::vector<Group>>> groups_;
};

/// Identifies a group by its time bucket and its values.
using GroupKey = std::pair<std::size_t, std::vector<std::string>>;
using SumsByGroup = std::map<GroupKey, const Sums*>;

/// One query on its way: first what it needs, then its rows.
class Answering {
 public:
  Answering(const Query& query, Plan& plan) : query_(query) {
    for (const auto& dimension : query.dimensions) {
      if (is_time(dimension.field)) {
        buckets_ = make_buckets(dimension.field, query.selection.range, query.zone);
      }
    }
    const auto& selection = query.selection;
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

  [[nodiscard]] Answer rows(const Plan& plan) const {
    const auto& groups = plan.groups(base_);
    const auto entries = by_group(plan, entries_);
    const auto everyone = by_group(plan, group_everyone_);
    Wholes wholes;
    if (all_) wholes.visitors = plan.groups(*all_).front().sums.visitors;
    if (everyone_) wholes.everyone = plan.groups(*everyone_).front().sums.visitors;
    std::vector<Found> found;
    found.reserve(groups.size());
    for (const auto& group : groups) {
      const auto same = entries.find({group.bucket, group.values});
      wholes.group_everyone = 0;
      if (const auto at = everyone.find({group.bucket, group_values(group)});
          at != everyone.end()) {
        wholes.group_everyone = at->second->visitors;
      }
      found.push_back(
          {&group, values(group.sums, same == entries.end() ? Sums() : *same->second, wholes)});
    }
    return page(std::move(found));
  }

 private:
  struct Found {
    const Group* group;
    std::vector<Value> metrics;
  };

  [[nodiscard]] bool is_by_entry(Metric metric) const {
    return (metric == Metric::kBounceRate && entries_are_bounces_) ||
           (metric == Metric::kVisitDuration && entries_are_durations_);
  }

  [[nodiscard]] Selection with_filter(Filter filter) const {
    auto selection = query_.selection;
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

  /// Those that visitors have whether they convert or not.
  [[nodiscard]] std::vector<Dimension> group_dimensions() const {
    auto dimensions = query_.dimensions;
    std::erase_if(dimensions, [](const Dimension& dimension) {
      return dimension.field == Field::kGoal || dimension.field == Field::kProp;
    });
    return dimensions;
  }
  [[nodiscard]] std::vector<std::string> group_values(const Group& group) const {
    std::vector<std::string> values;
    for (std::size_t i = 0; i < query_.dimensions.size(); ++i) {
      const auto field = query_.dimensions[i].field;
      if (field != Field::kGoal && field != Field::kProp) values.push_back(group.values[i]);
    }
    return values;
  }

  static SumsByGroup by_group(const Plan& plan, const std::optional<Plan::Part>& part) {
    SumsByGroup sums;
    if (!part) return sums;
    for (const auto& group : plan.groups(*part))
      sums.emplace(GroupKey(group.bucket, group.values), &group.sums);
    return sums;
  }

  [[nodiscard]] std::vector<Value> values(const Sums& sums, const Sums& entries,
                                          const Wholes& wholes) const {
    std::vector<Value> values;
    for (const auto metric : query_.metrics) {
      values.push_back(value_of(metric, is_by_entry(metric) ? entries : sums, wholes));
    }
    return values;
  }

  /// Less than 0: a stands before b.
  [[nodiscard]] int compare(const Found& a, const Found& b, const OrderKey& key) const {
    if (key.metric) {
      const auto at = static_cast<std::size_t>(
          std::find(query_.metrics.begin(), query_.metrics.end(), *key.metric) -
          query_.metrics.begin());
      const auto* left = std::get_if<double>(&a.metrics[at]);
      const auto* right = std::get_if<double>(&b.metrics[at]);
      if (left == nullptr || right == nullptr) {  // what is not there stands last
        return (left == nullptr ? 1 : 0) - (right == nullptr ? 1 : 0);
      }
      const int order = *left < *right ? -1 : (*left > *right ? 1 : 0);
      return key.descending ? -order : order;
    }
    const auto at = static_cast<std::size_t>(
        std::find(query_.dimensions.begin(), query_.dimensions.end(), key.dimension) -
        query_.dimensions.begin());
    const int order = compare_values(a, b, at);
    return key.descending ? -order : order;
  }

  [[nodiscard]] int compare_values(const Found& a, const Found& b, std::size_t dimension) const {
    const auto& left = a.group->values[dimension];
    const auto& right = b.group->values[dimension];
    if (!is_time(query_.dimensions[dimension].field)) return left.compare(right);
    return static_cast<int>(a.group->bucket) - static_cast<int>(b.group->bucket);
  }

  [[nodiscard]] Answer page(std::vector<Found> found) const {
    const auto order = query_.order.empty() ? default_order(query_) : query_.order;
    const auto stands_before = [&](const Found& a, const Found& b) {
      for (const auto& key : order) {
        if (const int result = compare(a, b, key); result != 0) return result < 0;
      }
      for (std::size_t i = 0; i < query_.dimensions.size(); ++i) {  // so that pages never overlap
        if (const int result = compare_values(a, b, i); result != 0) return result < 0;
      }
      return false;
    };
    const auto first = std::min(query_.offset, found.size());
    const auto last = first + std::min(query_.limit, found.size() - first);
    std::partial_sort(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(last), found.end(),
                      stands_before);
    Answer answer;
    answer.total_rows = found.size();
    answer.buckets = buckets_;
    for (auto i = first; i < last; ++i) {
      auto dimensions = found[i].group->values;
      for (std::size_t at = 0; at < dimensions.size(); ++at) {
        if (!is_time(query_.dimensions[at].field)) continue;
        dimensions[at] = buckets_[found[i].group->bucket].label;
      }
      answer.rows.push_back(
          {std::move(dimensions), std::move(found[i].metrics), found[i].group->bucket});
    }
    return answer;
  }

  const Query& query_;
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
  if (auto done = plan.run(store); !done) return fail(done.error());
  std::vector<Answer> answers;
  answers.reserve(all.size());
  for (const auto& each : all) answers.push_back(each.rows(plan));
  return answers;
}

Result<Answer> answer(const Query& query, store::StatsStore& store) {
  auto answers = answer(std::span(&query, 1), store);
  if (!answers) return fail(answers.error());
  return std::move(answers->front());
}

}  // namespace analytics
