#include "daemon/stats/caveats.h"

#include <algorithm>

#include "common/text/local_time.h"

namespace analytics {
namespace {

bool counts_visitors(Metric metric) {
  return metric == Metric::kVisitors || metric == Metric::kPercentage ||
         metric == Metric::kConversionRate || metric == Metric::kGroupConversionRate;
}

/// Returns true if a number of visitors in the answer is a sum over several days, because a visitor
/// has a new id each day.
bool adds_days(const Query& query, UnixSeconds now) {
  if (std::none_of(query.metrics.begin(), query.metrics.end(), counts_visitors)) return false;
  const bool is_by_day =
      std::any_of(query.dimensions.begin(), query.dimensions.end(), [](const Dimension& dimension) {
        return is_time(dimension.field) && dimension.field != Field::kWeek &&
               dimension.field != Field::kMonth;
      });
  const auto& [from, to] = query.selection.range;
  const auto last = std::min(to, now + std::chrono::seconds(1)) - std::chrono::seconds(1);
  return !is_by_day && local_day(from, query.zone) < local_day(last, query.zone);
}

/// Returns the number of rows after the page.
std::int64_t rows_behind(const Query& query, const Answer& answer) {
  const auto shown = query.offset + answer.rows.size();
  const bool is_page = !answer.rows.empty() && shown < answer.total_rows;
  return is_page ? static_cast<std::int64_t>(answer.total_rows - shown) : 0;
}

void add(const Caveats::LostDay& lost, std::vector<Caveats::LostDay>& all) {
  if (std::find(all.begin(), all.end(), lost) == all.end()) all.push_back(lost);
}

}  // namespace

Caveats caveats_of(std::span<const Query> queries, std::span<const Answer> answers,
                   UnixSeconds now) {
  Caveats caveats;
  const auto& query = queries.front();
  const auto& range = query.selection.range;
  if (range.from <= now && now < range.to) {
    caveats.partial_until = format_with_offset(now, query.zone);
  }
  caveats.sum_of_days = adds_days(query, now);
  caveats.totals = answers.front().totals.kept;
  caveats.cut = rows_behind(query, answers.front());
  caveats.other = answers.front().other;
  for (const auto& answer : answers) {
    caveats.removal_running |= answer.removal_running;
    for (const auto& lost : answer.recognition_lost) add(lost, caveats.recognition_lost);
  }
  const auto& extent = answers.front().extent;
  if (extent.up_to) {
    caveats.up_to = format_rfc3339(std::chrono::floor<std::chrono::seconds>(*extent.up_to));
  }
  caveats.behind = extent.behind;
  return caveats;
}

}  // namespace analytics
