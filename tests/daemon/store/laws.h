#pragma once

#include "tests/daemon/store/query_maker.h"

/// Laws that hold for the answer to any query, whatever the events are. They need no recount, which
/// could share a mistake with the program.
namespace analytics::test {

namespace laws {

inline std::vector<Row> rows_of(Query query, store::StatsStore& stats,
                                std::vector<Metric> metrics) {
  query.metrics = std::move(metrics);
  return answer(query, stats).value().rows;
}
inline double number(const Row& row, std::size_t metric) {
  const auto* value = std::get_if<double>(&row.metrics[metric]);
  return value == nullptr ? 0 : *value;
}
inline double total(const Query& query, store::StatsStore& stats, Metric metric) {
  double sum = 0;
  for (const auto& row : rows_of(query, stats, {metric})) sum += number(row, 0);
  return sum;
}
inline bool asks_goals(const Filter& filter) {
  return (filter.kind == Filter::Kind::kValue && filter.dimension.field == Field::kGoal) ||
         std::any_of(filter.parts.begin(), filter.parts.end(), asks_goals);
}

}  // namespace laws

/// Checks the laws for a query and its variants.
inline void check_laws(const Query& query, store::StatsStore& stats) {
  for (const auto& row : laws::rows_of(query, stats, {Metric::kVisitors, Metric::kVisits})) {
    CHECK(laws::number(row, 0) <= laws::number(row, 1));
  }
  auto whole = query;
  whole.dimensions.clear();
  const auto total = [&](const Query& of, Metric metric) { return laws::total(of, stats, metric); };

  // Each visit has one source and one entry page, and each event one page and one hour.
  const auto by = [&](Field field) {
    auto divided = whole;
    divided.dimensions = {{field, ""}};
    return divided;
  };
  const auto visits = total(whole, Metric::kVisits);
  for (const auto field : {Field::kSource, Field::kEntryPage, Field::kBrowser}) {
    CHECK(total(by(field), Metric::kVisits) == visits);
  }
  const auto events = total(whole, Metric::kEvents);
  for (const auto field : {Field::kPage, Field::kHour}) {
    CHECK(total(by(field), Metric::kEvents) == events);
  }

  // A filter and its opposite together keep every event.
  if (!laws::asks_goals(query.selection.filter)) {
    auto others = whole;
    others.selection.filter = {};
    others.selection.filter.kind = Filter::Kind::kNot;
    others.selection.filter.parts = {query.selection.filter};
    auto all = whole;
    all.selection.filter = {};
    for (const auto metric : {Metric::kEvents, Metric::kPageviews}) {
      CHECK(total(whole, metric) + total(others, metric) == total(all, metric));
    }
  }

  // A comparison has the same numbers as a separate query for the other range.
  auto earlier = whole;
  const auto length = query.selection.range.to - query.selection.range.from;
  earlier.selection.range = {query.selection.range.from - length, query.selection.range.from};
  const std::vector metrics{Metric::kVisitors, Metric::kVisits, Metric::kBounceRate,
                            Metric::kVisitDuration};
  auto compared = whole;
  compared.before = earlier.selection.range;
  const auto both = laws::rows_of(compared, stats, metrics);
  REQUIRE(both.front().before);
  CHECK(both.front().before->metrics == laws::rows_of(earlier, stats, metrics).front().metrics);
}

}  // namespace analytics::test
