#include "daemon/store/sqlite/totals_reader.h"

#include "common/local_time.h"

namespace analytics::sqlite {
namespace {

using std::chrono::days;

/// Returns the days that the range has a part of.
DaySpan touched_days(const TimeRange& range, const std::string& zone) {
  return {local_day(range.from, zone), local_day(range.to - std::chrono::seconds(1), zone)};
}

/// Returns the days that lie wholly in the range; none if the first is after the last.
DaySpan whole_days(const TimeRange& range, const std::string& zone) {
  auto first = local_day(range.from, zone);
  if (start_of_day(first, zone) < range.from) first += days(1);
  return {first, local_day(range.to, zone) - days(1)};
}

}  // namespace

void TotalsReader::add_to(store::StatsStore::Found& found, const std::vector<Grouping>& groupings) {
  const auto& range = selection_.range;
  const auto& zone = selection_.zone;
  const auto has = [&](Days first, Days last) {
    return first <= last && has_totals(connection_, selection_.site, {first, last});
  };
  const auto touched = touched_days(range, zone);
  if (!has(touched.first, touched.last)) return;
  const auto whole = whole_days(range, zone);
  found.totals.are_added = selection_.with_totals && has(whole.first, whole.last);
  found.totals.are_left_out = !found.totals.are_added ||
                              has(touched.first, whole.first - days(1)) ||
                              has(whole.last + days(1), touched.last);
  if (!found.totals.are_added) return;
  for (std::size_t i = 0; i < groupings.size(); ++i) {
    found.groups[i] = with_totals(std::move(found.groups[i]), groupings[i], whole);
  }
}

std::unique_ptr<Groups> TotalsReader::with_totals(std::unique_ptr<Groups> found,
                                                  const Grouping& grouping, const DaySpan& days) {
  const auto& zone = selection_.zone;
  const auto& by = grouping.dimensions;
  const auto name = by.empty() ? std::nullopt : totals::stored_name(by.front().dimension);
  auto& texts = kinds_.emplace_back(
      texts_, by.empty() ? StringKind::kTotal : kind_of_totals(by.front().dimension.field));
  auto all = std::make_unique<totals::AddedTotals>(std::move(found), grouping, texts, budget_);
  each_day(connection_, selection_.site, name.value_or(std::string(totals::kAll)), days,
           [&](Days day, const auto& values) { all->add(start_of_day(day, zone), values); });
  return all;
}

}  // namespace analytics::sqlite
