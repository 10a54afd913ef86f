#include "daemon/store/sqlite/totals/totals_reader.h"

#include <algorithm>
#include <map>

#include "common/text/local_time.h"

namespace analytics::sqlite {
namespace {

using std::chrono::days;

/// Returns the days that are at least partly in the range.
DaySpan touched_days(const TimeRange& range, const std::string& zone) {
  return {local_day(range.from, zone), local_day(range.to - std::chrono::seconds(1), zone)};
}

/// Returns the days that lie completely in the range; `first` is after `last` if no day does.
DaySpan whole_days(const TimeRange& range, const std::string& zone) {
  auto first = local_day(range.from, zone);
  if (start_of_day(first, zone) < range.from) first += days(1);
  return {first, local_day(range.to, zone) - days(1)};
}

/// Returns true if a day's sums, which are sorted by value, contain each of the values. The value 0
/// is never contained.
bool has_all(const std::vector<totals::ValueSums>& sums, const std::vector<std::uint32_t>& values) {
  const auto is_before = [](const totals::ValueSums& each, std::uint32_t value) {
    return each.value < value;
  };
  return std::all_of(values.begin(), values.end(), [&](std::uint32_t value) {
    const auto found = std::lower_bound(sums.begin(), sums.end(), value, is_before);
    return value != 0 && found != sums.end() && found->value == value;
  });
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

/// Returns the days with imported totals, but without events or totals of events, each with its
/// import. Empty if the selection wants no imports.
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
  for (const auto day : kept_) imported.erase(day);
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
  look_for_kept(use);
  imported_ = imported_days_without_events(counted, count);
  look_for_imported(use);
  if (!can_add_kept_ && !can_add_imported_) return;
  for (std::size_t i = 0; i < groupings.size(); ++i) {
    found.groups[i] = with_totals(std::move(found.groups[i]), groupings[i], use);
  }
}

void TotalsReader::look_for_kept(TotalsUse& use) {
  for (const auto& [day, none] : days_with_totals(connection_, selection_.site, kTotalDimension,
                                                  touched_, TotalsOrigin::kHere)) {
    kept_.insert(day);
    const bool goes_on = !use.kept.empty() && use.kept.back().last + days(1) == day;
    goes_on ? void(use.kept.back().last = day) : use.kept.push_back({day, day});
  }
  const auto whole =
      std::count_if(kept_.begin(), kept_.end(), [&](Days day) { return is_whole(day); });
  can_add_kept_ = selection_.with_totals && whole > 0;
  use.are_left_out = !kept_.empty() && (!can_add_kept_ || std::ssize(kept_) > whole);
}

void TotalsReader::look_for_imported(TotalsUse& use) {
  const auto is_part = [&](const auto& each) {
    return each.first < whole_.first || each.first > whole_.last;
  };
  const bool has_parts = std::erase_if(imported_, is_part) > 0;
  use.are_imports_left_out = has_parts || (!imported_.empty() && !selection_.with_totals);
  can_add_imported_ = !imported_.empty() && selection_.with_totals;
  use.has_imports = selection_.with_imports && has_imported_totals(connection_, selection_.site);
}

std::unique_ptr<Groups> TotalsReader::with_totals(std::unique_ptr<Groups> found,
                                                  const Grouping& grouping, TotalsUse& use) {
  const auto sources = totals::sources_of(selection_, grouping);
  const auto is_of_kept = [](const totals::Source& source) { return source.is_of_kept; };
  const bool adds_kept = can_add_kept_ && std::any_of(sources.begin(), sources.end(), is_of_kept);
  use.are_added |= adds_kept;
  use.are_left_out |= can_add_kept_ && !adds_kept;
  use.are_imports_left_out |= can_add_imported_ && sources.empty();
  use.are_imports_added |= can_add_imported_ && !sources.empty();
  if (sources.empty()) return found;
  const auto& by = grouping.dimensions;
  auto& texts = texts_of(by.empty() ? std::nullopt : std::optional(by.front().dimension));
  auto all = std::make_unique<totals::AddedTotals>(std::move(found), grouping, texts, budget_);
  Known known;
  for (const auto& source : sources) use.are_left_out |= add_source(source, *all, known);
  all->finish();
  use.are_imports_left_out |= can_add_imported_ && lacks_some(known);
  return all;
}

/// Adds the totals that `source` describes to `all`, and the imports and days that have such totals
/// to `known`. Returns true if some days lack totals computed from events that they should have.
bool TotalsReader::add_source(const totals::Source& source, totals::AddedTotals& all,
                              Known& known) {
  const auto site = selection_.site;
  const auto& by = source.dimension;
  const auto name =
      (by ? totals::stored_name(*by) : std::nullopt).value_or(std::string(kTotalDimension));
  const bool adds_kept = can_add_kept_ && source.is_of_kept;
  std::map<Days, ImportId> chosen;
  if (can_add_imported_ && source.is_of_imports) {
    chosen = days_with_totals(connection_, site, name, whole_, TotalsOrigin::kImport);
  }
  for (const auto& [day, import] : chosen) {
    known.imports.insert(import);
    known.days.insert(day);
  }
  const auto wants = [&](Days day, ImportId import) {
    if (import == 0) return adds_kept;
    const auto choice = chosen.find(day);
    return choice != chosen.end() && choice->second == import && imported_.contains(day);
  };
  auto& texts = texts_of(by);
  totals::SourceValues values(source, texts, budget_);
  std::vector<std::uint32_t> required;
  required.reserve(source.required.size());
  for (const auto& text : source.required) required.push_back(texts.number(text));
  std::set<Days> added;  // days whose totals computed from events are added
  std::set<Days> incomplete;
  each_day(connection_, site, name, whole_, wants,
           [&](Days day, ImportId import, const auto& sums) {
             all.add({start_of_day(day, selection_.zone), sums, import != 0}, values);
             if (import != 0) return;
             added.insert(day);
             if (!has_all(sums, required)) incomplete.insert(day);
           });
  if (!adds_kept) return false;
  bool lacks_days = false;
  if (by && by->field == Field::kProp) lacks_days = add_days_without(*by, added, all, values);
  subtract_overlaps(name, added, all, values);
  if (source.required.empty()) return lacks_days;
  return !incomplete.empty() || std::any_of(kept_.begin(), kept_.end(), [&](Days day) {
    return is_whole(day) && !added.contains(day);
  });
}

/// Adds the totals of days on which no event had the property: all visitors of such a day are
/// without a value. `added`: the days with totals by the property. Returns true if on other days
/// some events had the property, but it was not among those with the most visitors.
bool TotalsReader::add_days_without(const Dimension& property, std::set<Days>& added,
                                    totals::AddedTotals& all, totals::SourceValues& values) {
  const Dimension keys{Field::kPropKey, {}};
  const auto key = texts_of(keys).number(property.key);
  std::set<Days> had;
  std::set<Days> without;
  const auto lacks = [&](Days day, ImportId import) {
    return import == 0 && !added.contains(day) && !had.contains(day);
  };
  each_day(connection_, selection_.site, *totals::stored_name(keys), whole_, lacks,
           [&](Days day, ImportId, const auto& sums) {
             const bool has_key = std::any_of(sums.begin(), sums.end(), [&](const auto& each) {
               return key != 0 && each.value == key;
             });
             if (has_key) had.insert(day);
           });
  const auto& zone = selection_.zone;
  each_day(connection_, selection_.site, kTotalDimension, whole_, lacks,
           [&](Days day, ImportId, const auto& sums) {
             all.add({start_of_day(day, zone), sums}, values);
             without.insert(day);
           });
  const auto overlaps = [&](Days day, ImportId) {
    return without.contains(day - days(1)) && (without.contains(day) || !kept_.contains(day));
  };
  each_day(
      connection_, selection_.site, std::string(totals::kOverlap) + std::string(kTotalDimension),
      {whole_.first + days(1), whole_.last}, overlaps, [&](Days day, ImportId, const auto& sums) {
        all.subtract_overlap({start_of_day(day, zone), sums}, start_of_day(day - days(1), zone),
                             values);
      });
  return !had.empty();
}

/// Subtracts the overlap of each whole day with the day before, if the day before has totals
/// computed from events. `added`: the days whose totals by this dimension were added. Other days
/// have events, or no such totals.
void TotalsReader::subtract_overlaps(const std::string& name, const std::set<Days>& added,
                                     totals::AddedTotals& all, totals::SourceValues& values) {
  const auto& zone = selection_.zone;
  const auto wants = [&](Days day, ImportId) {
    return kept_.contains(day - days(1)) && (added.contains(day) || !kept_.contains(day));
  };
  each_day(connection_, selection_.site, std::string(totals::kOverlap) + name,
           {whole_.first + days(1), whole_.last}, wants, [&](Days day, ImportId, const auto& sums) {
             all.subtract_overlap({start_of_day(day, zone), sums},
                                  start_of_day(day - days(1), zone), values);
           });
}

/// Returns true if imported totals by the grouping's dimension are missing: a day has none, and the
/// import that counts on this day has none for any other day. If the import has some for other
/// days, the day just has no values.
bool TotalsReader::lacks_some(const Known& known) const {
  return std::any_of(imported_.begin(), imported_.end(), [&](const auto& each) {
    return !known.imports.contains(each.second) && !known.days.contains(each.first);
  });
}

TotalsReader::Texts& TotalsReader::texts_of(const std::optional<Dimension>& dimension) {
  return kinds_.emplace_back(texts_,
                             dimension ? kind_of_totals(dimension->field) : StringKind::kTotal);
}

}  // namespace analytics::sqlite
