#include "daemon/stats/caveats.h"

#include <algorithm>
#include <utility>

#include "common/text/local_time.h"

namespace analytics {
namespace {

bool counts_visitors(Metric metric) {
  return metric == Metric::kVisitors || metric == Metric::kPercentage ||
         metric == Metric::kConversionRate || metric == Metric::kGroupConversionRate;
}

/// Returns true if a number of visitors in the answer is a sum over several days: a visitor has a
/// new id on each UTC day.
bool adds_days(const Query& query, std::span<const Bucket> buckets, UnixSeconds now) {
  if (std::none_of(query.metrics.begin(), query.metrics.end(), counts_visitors)) return false;
  auto from = query.selection.range.from;
  const auto end = std::min(query.selection.range.to, now + std::chrono::seconds(1));
  const auto lasts_days = [&](UnixSeconds to) {
    const auto first = std::chrono::floor<std::chrono::days>(std::exchange(from, to));
    return first <
           std::chrono::floor<std::chrono::days>(std::min(to, end) - std::chrono::seconds(1));
  };
  for (std::size_t next = 1; next < buckets.size(); ++next) {
    if (lasts_days(buckets[next].from)) return true;
  }
  return lasts_days(end);
}

/// Returns the number of rows after those of the requested page.
std::int64_t rows_behind(const Query& query, const Answer& answer) {
  const auto shown = query.offset + answer.rows.size();
  const bool is_page = !answer.rows.empty() && shown < answer.total_rows;
  return is_page ? static_cast<std::int64_t>(answer.total_rows - shown) : 0;
}

void add_caveats_of_range(const Query& query, std::span<const Bucket> buckets, UnixSeconds now,
                          Caveats& caveats) {
  const auto& range = query.selection.range;
  if (range.from <= now && now < range.to) {
    caveats.partial_until = format_with_offset(now, query.zone);
  }
  caveats.sum_of_days = adds_days(query, buckets, now);
}

}  // namespace

void add_caveats_of_range(const Query& query, UnixSeconds now, Caveats& caveats) {
  add_caveats_of_range(query, {}, now, caveats);
}

void add_extent(const store::Extent& extent, Caveats& caveats) {
  if (extent.up_to) {
    caveats.up_to = format_rfc3339(std::chrono::floor<std::chrono::seconds>(*extent.up_to));
  }
  caveats.behind = extent.behind;
}

Caveats caveats_of(std::span<const Query> queries, std::span<const Answer> answers,
                   UnixSeconds now) {
  Caveats caveats;
  const auto& query = queries.front();
  add_caveats_of_range(query, answers.front().buckets, now, caveats);
  caveats.cut = rows_behind(query, answers.front());
  caveats.other = answers.front().other;
  for (const auto& answer : answers) {
    caveats.removal_running |= answer.removal_running;
    add_missing(answer.recognition_lost, caveats.recognition_lost);
    add_missing(answer.totals.kept, caveats.totals);
  }
  add_extent(answers.front().extent, caveats);
  return caveats;
}

}  // namespace analytics
