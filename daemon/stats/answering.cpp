#include "daemon/stats/answering.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "daemon/model/names/iso_name.h"
#include "daemon/model/text_match.h"
#include "daemon/stats/filter_rules.h"
#include "daemon/stats/stored_values.h"

namespace analytics {
Plan::Part Plan::add(Selection selection, Grouping grouping) {
  selection.filter = with_stored_values(std::move(selection.filter));
  selection.view = with_stored_values(std::move(selection.view));
  auto at = std::find_if(aggregations_.begin(), aggregations_.end(),
                         [&](const auto& each) { return each.selection == selection; });
  if (at == aggregations_.end()) at = aggregations_.insert(at, {std::move(selection), {}});
  at->groupings.push_back(std::move(grouping));
  return {static_cast<std::size_t>(at - aggregations_.begin()), at->groupings.size() - 1};
}

Answering::Answering(const Query& query, Plan& plan) : query_(query), selection_(query.selection) {
  selection_.zone = query.zone;
  selection_.with_totals = can_add_totals(query);
  for (const auto& dimension : query.dimensions) {
    if (is_time(dimension.field)) {
      buckets_ = make_buckets(dimension.field, query.selection.range, query.zone);
    }
  }
  const bool is_of_pages =
      has_dimension(Field::kPage) || has_condition(selection_.filter, Field::kPage);
  if (is_of_pages && (wants(Metric::kBounceRate) || wants(Metric::kVisitDuration))) {
    entries_ = plan.add(with_filter(entered_at(selection_.filter)), entry_grouping());
  }
  const bool of_visits =
      std::any_of(query.metrics.begin(), query.metrics.end(),
                  [&](Metric metric) { return is_of_visits(metric) && !is_by_entry(metric); });
  base_ = plan.add(selection_, grouping(query.dimensions, of_visits));
  plan_rates(plan);
  plan_engagements(plan);
  if (!query.before) return;
  auto earlier = std::make_unique<Query>(query);
  earlier->selection.range = *std::exchange(earlier->before, std::nullopt);
  earlier_query_ = std::move(earlier);
  earlier_ = std::make_unique<Answering>(*earlier_query_, plan);
}

/// Adds to the plan the totals that percentages and conversion rates refer to.
void Answering::plan_rates(Plan& plan) {
  Grouping of_visitors;
  of_visitors.events = false;
  if (wants(Metric::kPercentage)) all_ = plan.add(selection_, of_visitors);
  const auto everyone = with_filter(without_conversions(selection_.filter));
  if (wants(Metric::kConversionRate)) {
    everyone_ = plan.add(everyone, visitors_by(time_places()));
  }
  if (wants(Metric::kGroupConversionRate)) {
    group_everyone_ = plan.add(everyone, visitors_by(lasting_places()));
  }
}

void Answering::plan_engagements(Plan& plan) {
  // an exit rate counts all views of the page, wherever their visits ended
  if (wants(Metric::kExitRate)) {
    pages_ = plan.add(with_filter(without_exits(selection_.filter)), page_grouping());
  }
  if (!std::any_of(query_.metrics.begin(), query_.metrics.end(), is_of_engagement)) return;
  auto selection = selection_;
  selection.with_totals = selection.with_imports = false;
  selection.engagements = true;
  auto by_engagement = grouping(query_.dimensions, false);
  by_engagement.engagements = true;
  engagements_ = plan.add(std::move(selection), std::move(by_engagement));
}

namespace {

/// Returns the visitors of the groups `some` as a percentage of all groups' visitors, with one
/// decimal.
double share_of(const std::vector<std::size_t>& some, Groups& groups) {
  std::int64_t all = 0;
  for (std::size_t group = 0; group < groups.size(); ++group) all += groups.sums(group).visitors;
  std::int64_t theirs = 0;
  for (const auto group : some) theirs += groups.sums(group).visitors;
  constexpr double kPerMille = 1'000;
  return all == 0 ? 0 : std::round(kPerMille * double(theirs) / double(all)) / 10;
}

/// Adds to the answer the caveats about the numbers of the range that it is compared with.
void add_caveats(const store::StatsStore::Found& then, Answer& answer) {
  answer.totals.are_left_out |= then.totals.are_left_out;
  answer.totals.are_imports_left_out |= then.totals.are_imports_left_out;
  answer.totals.has_imports |= then.totals.has_imports;
  add_missing(then.totals.kept, answer.totals.kept);
  answer.removal_running |= then.removal_running;
  add_missing(then.recognition_lost, answer.recognition_lost);
}

}  // namespace

Answer Answering::rows(const Results& results) const {
  auto counted = count(results);
  std::optional<Before> before;
  if (earlier_ != nullptr) before.emplace(count_before(results, counted.groups));
  const bool is_whole_series = before && is_series();
  Answer answer;
  auto among = chosen(counted.groups);
  answer.total_rows = is_whole_series ? buckets_.size()
                      : among         ? among->size()
                                      : counted.groups.size();
  answer.buckets = buckets_;
  const auto& now = results.found(base_);
  answer.totals = now.totals;
  answer.removal_running = now.removal_running;
  answer.recognition_lost = now.recognition_lost;
  if (before) add_caveats(results.found(earlier_->base_), answer);
  std::vector<std::size_t> others;
  for (auto& place :
       is_whole_series ? page_of_series(counted) : page_of(counted, std::move(among))) {
    Row row{std::move(place.texts), values(counted, place.group), place.bucket, {}};
    place.texts = row.dimensions;
    if (before) row.before = earlier(*before, place);
    const bool is_other =
        std::find(row.dimensions.begin(), row.dimensions.end(), kOtherText) != row.dimensions.end();
    if (is_other && place.group) others.push_back(*place.group);
    answer.rows.push_back(std::move(row));
  }
  if (!others.empty()) answer.other = share_of(others, counted.groups);
  return answer;
}

Answering::Before Answering::count_before(const Results& results, Groups& groups) const {
  auto then = earlier_->count(results);
  GroupIndex index(then.groups, groups, all_dimensions());
  Before before{std::move(then), std::move(index)};
  if (is_series()) before.of_buckets = earlier_->by_bucket(before.counted.groups);
  return before;
}

Answering::Counted Answering::count(const Results& results) const {
  Counted counted{results.of(base_)};
  auto& groups = counted.groups;
  if (entries_) counted.entries.emplace(results.of(*entries_), groups, all_dimensions());
  if (engagements_) {
    counted.engagements.emplace(results.of(*engagements_), groups, all_dimensions());
  }
  if (pages_) counted.pages.emplace(results.of(*pages_), groups, all_dimensions());
  if (group_everyone_) {
    counted.group_everyone.emplace(results.of(*group_everyone_), groups, lasting_places());
  }
  if (all_) counted.wholes.visitors = results.of(*all_).sums(0).visitors;
  if (everyone_) counted.everyone.emplace(results.of(*everyone_), groups, time_places());
  return counted;
}

/// Returns the group of each bucket; nullopt for a bucket without a group. REQUIRES: time is the
/// only dimension.
Answering::GroupsOfBuckets Answering::by_bucket(const Groups& groups) const {
  GroupsOfBuckets places(buckets_.size());
  for (std::size_t group = 0; group < groups.size(); ++group) places[groups.bucket(group)] = group;
  return places;
}

/// Returns the groups that Query::rows selects; nullopt if it selects all groups.
std::optional<GroupPlaces> Answering::chosen(Groups& groups) const {
  const auto& [search, without_empty] = query_.rows;
  if (search.empty() && !without_empty) return std::nullopt;
  const auto field = query_.dimensions.front().field;
  const TextMatcher matcher({MatchKind::kContains, {search}, true});
  // A version is shown after the name of its browser or system.
  const bool is_version = query_.dimensions.size() > 1 &&
                          (field == Field::kBrowserVersion || field == Field::kOsVersion);
  return groups_with(groups, is_version ? 2 : 1, [&](const Texts& texts) {
    const auto& text = *texts.front();
    if (query_.rows.without_empty && text == empty_value(field)) return false;
    if (is_version) return matcher.matches(*texts[1] + " " + text);
    return matcher.matches(is_iso_code(field) ? iso_name(text) : text);
  });
}

/// Returns the rows of the requested page, in order. Only the groups `among` have rows; nullopt
/// for all groups.
std::vector<Answering::Place> Answering::page_of(Counted& counted,
                                                 std::optional<GroupPlaces> among) const {
  auto& groups = counted.groups;
  const auto last = query_.offset + std::min(query_.limit, SIZE_MAX - query_.offset);
  const auto dimensions = query_.dimensions.size();
  std::vector<Place> page;
  for (auto& [group, texts] :
       among ? ranked(groups, std::move(*among), dimensions, keys(counted), query_.offset, last)
             : ranked(groups, dimensions, keys(counted), query_.offset, last)) {
    const auto bucket = groups.bucket(group);
    for (std::size_t i = 0; i < texts.size(); ++i) {
      if (is_time(query_.dimensions[i].field)) texts[i] = buckets_[bucket].label;
    }
    page.push_back({group, std::move(texts), bucket});
  }
  return page;
}

/// Returns the rows of the requested page of a series over time: one for each time bucket, in
/// order, including buckets without events.
std::vector<Answering::Place> Answering::page_of_series(Counted& counted) const {
  const auto groups = by_bucket(counted.groups);
  const bool descending = !query_.order.empty() && query_.order.front().descending;
  const auto first = std::min(query_.offset, buckets_.size());
  const auto last = first + std::min(query_.limit, buckets_.size() - first);
  std::vector<Place> page;
  for (auto at = first; at < last; ++at) {
    const auto bucket = descending ? buckets_.size() - 1 - at : at;
    page.push_back({groups[bucket], {buckets_[bucket].label}, bucket});
  }
  return page;
}

/// Returns a row's values in the range to compare with. A row of a time bucket is compared with the
/// bucket at the same index in that range; returns nullopt if the range has fewer buckets.
std::optional<Row::Earlier> Answering::earlier(Before& before, const Place& place) const {
  const auto& buckets = earlier_->buckets_;
  Row::Earlier earlier{place.texts, {}};
  for (std::size_t i = 0; i < earlier.dimensions.size(); ++i) {
    if (!is_time(query_.dimensions[i].field)) continue;
    if (place.bucket >= buckets.size()) return std::nullopt;
    earlier.dimensions[i] = buckets[place.bucket].label;
  }
  const auto group =
      is_series() ? before.of_buckets[place.bucket] : before.index.find(*place.group);
  earlier.metrics = earlier_->values(before.counted, group);
  return earlier;
}

bool Answering::wants(Metric metric) const {
  return std::find(query_.metrics.begin(), query_.metrics.end(), metric) != query_.metrics.end();
}

bool Answering::has_dimension(Field field) const {
  return std::any_of(query_.dimensions.begin(), query_.dimensions.end(),
                     [&](const auto& dimension) { return dimension.field == field; });
}

bool Answering::is_by_entry(Metric metric) const {
  return entries_ && (metric == Metric::kBounceRate || metric == Metric::kVisitDuration);
}

/// Returns true if time is the only dimension and the rows are ordered by time.
bool Answering::is_series() const {
  return query_.dimensions.size() == 1 && is_time(query_.dimensions.front().field) &&
         (query_.order.empty() || !query_.order.front().metric);
}

Selection Answering::with_filter(Filter filter) const {
  auto selection = selection_;
  selection.filter = std::move(filter);
  return selection;
}

Grouping Answering::grouping(const std::vector<Dimension>& dimensions, bool visits) const {
  Grouping grouping;
  grouping.dimensions = group_by(dimensions);
  for (const auto& bucket : buckets_) grouping.buckets.push_back(bucket.from);
  if (has_dimension(Field::kGoal)) grouping.goals = group_by_name(goals_meant(query_.selection));
  grouping.events = std::any_of(query_.metrics.begin(), query_.metrics.end(), counts_events);
  grouping.visits = visits;
  grouping.revenue = std::any_of(query_.metrics.begin(), query_.metrics.end(), is_of_revenue);
  return grouping;
}

Grouping Answering::entry_grouping() const {
  auto dimensions = query_.dimensions;
  for (auto& dimension : dimensions) {
    if (dimension.field == Field::kPage) dimension.field = Field::kEntryPage;
  }
  return grouping(dimensions, true);
}

/// Returns the query's grouping, but by page instead of exit page. Exit rates need the pageviews
/// of each page on which visits ended.
Grouping Answering::page_grouping() const {
  auto dimensions = query_.dimensions;
  for (auto& dimension : dimensions) {
    if (dimension.field == Field::kExitPage) dimension.field = Field::kPage;
  }
  auto by_page = grouping(dimensions, false);
  by_page.events = true;
  return by_page;
}

std::vector<std::size_t> Answering::all_dimensions() const {
  std::vector<std::size_t> places(query_.dimensions.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  return places;
}

/// Returns the indexes of all dimensions except goals. Visitors who have not converted have values
/// in these dimensions, too.
std::vector<std::size_t> Answering::lasting_places() const {
  auto places = all_dimensions();
  std::erase_if(places,
                [&](std::size_t place) { return query_.dimensions[place].field == Field::kGoal; });
  return places;
}

std::vector<std::size_t> Answering::time_places() const {
  auto places = all_dimensions();
  std::erase_if(places,
                [&](std::size_t place) { return !is_time(query_.dimensions[place].field); });
  return places;
}

Grouping Answering::visitors_by(const std::vector<std::size_t>& places) const {
  std::vector<Dimension> dimensions;
  dimensions.reserve(places.size());
  for (const auto place : places) dimensions.push_back(query_.dimensions[place]);
  auto visitors = grouping(dimensions, false);
  visitors.events = visitors.revenue = false;
  return visitors;
}

Value Answering::value(Counted& counted, std::size_t group, const Sums& sums, Metric metric) const {
  if (is_by_entry(metric)) return value_of(metric, counted.entries->sums(group), counted.wholes);
  if (is_of_engagement(metric)) return value_of(metric, counted.engagements->sums(group));
  auto wholes = counted.wholes;
  if (metric == Metric::kExitRate) {
    wholes.pageviews_of_page = counted.pages->sums(group).pageviews;
  }
  if (metric == Metric::kConversionRate) {
    wholes.everyone = counted.everyone->sums(group).visitors;
  }
  if (metric == Metric::kGroupConversionRate) {
    wholes.group_everyone = counted.group_everyone->sums(group).visitors;
  }
  return value_of(metric, sums, wholes);
}

/// Returns the values of the query's metrics for a group; if there is no group, for no events.
std::vector<Value> Answering::values(Counted& counted, std::optional<std::size_t> group) const {
  const auto sums = group ? counted.groups.sums(*group) : Sums();
  std::vector<Value> values;
  for (const auto metric : query_.metrics) {
    values.push_back(group ? value(counted, *group, sums, metric)
                           : value_of(metric, sums, counted.wholes));
  }
  return values;
}

/// Returns the sort keys of the query's order, followed by all dimensions, so that the order is
/// unique and pages never overlap.
std::vector<RankKey> Answering::keys(Counted& counted) const {
  std::vector<RankKey> keys;
  for (const auto& key : query_.order.empty() ? default_order(query_) : query_.order) {
    if (key.metric) {
      keys.push_back(metric_key(counted, *key.metric, key.descending));
    } else {
      const auto at = std::find(query_.dimensions.begin(), query_.dimensions.end(), key.dimension);
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

RankKey Answering::metric_key(Counted& counted, Metric metric, bool descending) const {
  RankKey key;
  key.numbers.reserve(counted.groups.size());
  for (std::size_t group = 0; group < counted.groups.size(); ++group) {
    const auto value = this->value(counted, group, counted.groups.sums(group), metric);
    const auto number = rank_of(value);
    // Missing values come last.
    key.numbers.push_back(!number      ? std::numeric_limits<double>::infinity()
                          : descending ? -*number
                                       : *number);
  }
  return key;
}

RankKey Answering::dimension_key(const Groups& groups, std::size_t place, bool descending) const {
  RankKey key{{}, place, descending};
  if (!is_time(query_.dimensions[place].field)) return key;
  for (std::size_t group = 0; group < groups.size(); ++group) {
    const auto bucket = static_cast<double>(groups.bucket(group));
    key.numbers.push_back(descending ? -bucket : bucket);
  }
  return key;
}

}  // namespace analytics
