#include "daemon/store/sqlite/totals_reader.h"

#include <algorithm>
#include <map>

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

/// True for fields that events have had since 0.3.0: totals that were made before lack them.
bool is_newer(Field field) {
  return field == Field::kScreen || field == Field::kLanguage || field == Field::kEntryHostname ||
         field == Field::kExitHostname;
}

}  // namespace

TotalsReader::TotalsReader(Connection& connection, const Selection& selection,
                           DictionaryReader& texts, query::Budget& budget)
    : connection_(connection),
      selection_(selection),
      texts_(texts),
      budget_(budget),
      touched_(touched_days(selection.range, selection.zone)),
      whole_(whole_days(selection.range, selection.zone)) {}

/// Returns none if the selection wants none. Days whose events have become totals are none of them.
std::map<Days, ImportId> TotalsReader::imported_days_without_events(const TimeRange& counted,
                                                                    const Count& count) const {
  std::map<Days, ImportId> imported;
  if (!selection_.with_imports) return imported;
  const auto site = selection_.site;
  for (const auto& [day, import] : days_with_totals(connection_, site, totals::kImportedDays,
                                                    touched_, TotalsOrigin::kImport)) {
    imported.emplace(day, import);
  }
  if (imported.empty()) return imported;
  for (const auto& [day, none] :
       days_with_totals(connection_, site, kTotalDimension, touched_, TotalsOrigin::kHere)) {
    imported.erase(day);
  }
  if (imported.empty()) return imported;
  const auto first = imported.begin()->first;
  const auto last = imported.rbegin()->first;
  const auto& zone = selection_.zone;
  Grouping by_day;
  by_day.dimensions.push_back({{Field::kDay, {}}});
  for (auto day = first; day <= last; day += days(1)) {
    by_day.buckets.push_back(start_of_day(day, zone));
  }
  const TimeRange span{std::max(counted.from, by_day.buckets.front()),
                       std::min(counted.to, start_of_day(last + days(1), zone))};
  if (span.from >= span.to) return imported;
  const Aggregation events{{site, span, {}, {}}, {std::move(by_day)}};
  const auto found = count(events);
  const auto& busy = *found.front();
  for (std::size_t group = 0; group < busy.size(); ++group) {
    imported.erase(first + days(busy.bucket(group)));
  }
  return imported;
}

void TotalsReader::add_to(store::StatsStore::Found& found, const std::vector<Grouping>& groupings,
                          const TimeRange& counted, const Count& count) {
  auto& use = found.totals;
  imported_ = imported_days_without_events(counted, count);
  look_for_kept(use);
  look_for_imported(use);
  if (!use.are_added && !use.are_imports_added) return;
  for (std::size_t i = 0; i < groupings.size(); ++i) {
    found.groups[i] = with_totals(std::move(found.groups[i]), groupings[i], use);
  }
}

void TotalsReader::look_for_kept(TotalsUse& use) const {
  const auto has = [&](Days first, Days last) {
    return first <= last && has_totals(connection_, selection_.site, {first, last});
  };
  if (!has(touched_.first, touched_.last)) return;
  use.are_added = selection_.with_totals && has(whole_.first, whole_.last);
  use.are_left_out = !use.are_added || has(touched_.first, whole_.first - days(1)) ||
                     has(whole_.last + days(1), touched_.last);
}

void TotalsReader::look_for_imported(TotalsUse& use) {
  const auto is_part = [&](const auto& each) {
    return each.first < whole_.first || each.first > whole_.last;
  };
  const bool has_parts = std::erase_if(imported_, is_part) > 0;
  use.are_imports_left_out = has_parts || (!imported_.empty() && !selection_.with_totals);
  use.are_imports_added = !imported_.empty() && selection_.with_totals;
  use.has_imports = selection_.with_imports && has_imported_totals(connection_, selection_.site);
}

std::unique_ptr<Groups> TotalsReader::with_totals(std::unique_ptr<Groups> found,
                                                  const Grouping& grouping, TotalsUse& use) {
  const auto& zone = selection_.zone;
  const auto site = selection_.site;
  const auto& by = grouping.dimensions;
  const auto stored = by.empty() ? std::nullopt : totals::stored_name(by.front().dimension);
  const auto name = stored.value_or(std::string(kTotalDimension));
  if (use.are_added && stored && is_newer(by.front().dimension.field)) {
    use.are_left_out |= lacks_totals(connection_, site, name, whole_);
  }
  std::map<Days, ImportId> chosen;
  if (use.are_imports_added) {
    chosen = days_with_totals(connection_, site, name, whole_, TotalsOrigin::kImport);
    // A day without a row had none of these; an import without any row does not know them. Nor are
    // totals by goal those of pages.
    const bool has_page_goals =
        !by.empty() && by.front().dimension.field == Field::kGoal &&
        std::any_of(selection_.goals.begin(), selection_.goals.end(),
                    [](const Goal& goal) { return goal.type == GoalType::kPage; });
    std::set<ImportId> known;
    for (const auto& [day, import] : chosen) known.insert(import);
    use.are_imports_left_out |=
        has_page_goals || std::any_of(imported_.begin(), imported_.end(), [&](const auto& each) {
          return !known.contains(each.second) && !chosen.contains(each.first);
        });
  }
  const auto wants = [&](Days day, ImportId import) {
    if (import == 0) return use.are_added;
    const auto choice = chosen.find(day);
    return choice != chosen.end() && choice->second == import && imported_.contains(day);
  };
  auto& texts = kinds_.emplace_back(
      texts_, by.empty() ? StringKind::kTotal : kind_of_totals(by.front().dimension.field));
  auto all = std::make_unique<totals::AddedTotals>(std::move(found), grouping, texts, budget_);
  each_day(connection_, site, name, whole_, wants,
           [&](Days day, const auto& values) { all->add(start_of_day(day, zone), values); });
  return all;
}

}  // namespace analytics::sqlite
