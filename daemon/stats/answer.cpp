#include "daemon/stats/answer.h"

#include <algorithm>

#include "daemon/stats/answering.h"

namespace analytics {

std::vector<Row> every_bucket(const Query& query, const Answer& answer) {
  std::vector<Value> nothing;
  for (const auto metric : query.metrics) nothing.push_back(value_of(metric, {}));
  std::vector<Row> rows;
  for (const auto& bucket : answer.buckets)
    rows.push_back({{bucket.label}, nothing, rows.size(), {}});
  for (const auto& row : answer.rows) rows[row.bucket].metrics = row.metrics;
  return rows;
}

bool can_add_totals(const Query& query) {
  const bool is_finer = std::any_of(
      query.dimensions.begin(), query.dimensions.end(),
      [](const auto& each) { return each.field == Field::kHour || each.field == Field::kMinute; });
  return query.dimensions.size() <= 1 && !is_finer;
}

std::vector<OrderKey> default_order(const Query& query) {
  std::vector<OrderKey> order;
  for (const auto& dimension : query.dimensions) {
    if (is_time(dimension.field)) order.push_back({{}, dimension, false});
  }
  if (!query.metrics.empty()) order.push_back({query.metrics.front(), {}, true});
  return order;
}

void rate_by_row(Query& query) {
  const bool by_conversion = std::any_of(
      query.dimensions.begin(), query.dimensions.end(),
      [](const auto& each) { return each.field == Field::kGoal || each.field == Field::kProp; });
  if (by_conversion) return;
  std::replace(query.metrics.begin(), query.metrics.end(), Metric::kConversionRate,
               Metric::kGroupConversionRate);
}

Result<std::vector<Answer>> answer(std::span<const Query> queries, store::StatsStore& store) {
  Plan plan;
  std::vector<Answering> all;
  all.reserve(queries.size());
  for (const auto& query : queries) all.emplace_back(query, plan);
  std::vector<Answer> answers;
  answers.reserve(all.size());
  TRY(store.run(plan.aggregations(), [&](auto found) {
    for (const auto& each : all) answers.push_back(each.rows(Results(found)));
  }));
  for (auto& each : answers) each.extent = store.extent();
  return answers;
}

Result<Answer> answer(const Query& query, store::StatsStore& store) {
  auto answers = TRY(answer(std::span(&query, 1), store));
  return std::move(answers.front());
}

}  // namespace analytics
