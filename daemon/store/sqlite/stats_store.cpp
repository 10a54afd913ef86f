#include "daemon/store/sqlite/stats_store.h"

#include <algorithm>

#include "daemon/store/sqlite/stats_filter.h"
#include "daemon/store/sqlite/stats_tally.h"

namespace analytics::sqlite {

Result<std::vector<std::vector<store::StatsStore::Groups>>> SqliteStatsStore::run(
    std::span<const Question> questions) {
  try {
    Budget budget(connection_, limits_, cancelled_);
    const Snapshot snapshot(connection_);
    std::vector<std::vector<Groups>> answers;
    for (const auto& question : questions) answers.push_back(count(question, budget));
    return answers;
  } catch (const SqliteError& error) {
    return fail(to_error(error));
  }
}

std::vector<store::StatsStore::Groups> SqliteStatsStore::count(const Question& question,
                                                               Budget& budget) {
  const auto& selection = question.selection;
  const auto charged_before = budget.charged();
  DictionaryReader texts(connection_, selection.site, budget);
  FilterColumns filter_columns(selection, texts);
  FilterPlan filter(connection_, filter_columns, selection.filter);
  Columns columns;
  ask_for(selection.filter, columns);
  std::vector<Tally> tallies;
  tallies.reserve(question.groupings.size());
  for (const auto& grouping : question.groupings) {
    ask_for(grouping, columns);
    tallies.emplace_back(grouping, texts);
  }
  const bool counts_visits = std::any_of(question.groupings.begin(), question.groupings.end(),
                                         [](const Grouping& grouping) { return grouping.visits; });
  Numbering visitors;
  Numbering visits;
  const auto memory = [&] {
    auto bytes = filter.memory() + visitors.memory() + visits.memory();
    for (const auto& tally : tallies) bytes += tally.memory();
    return bytes;
  };
  EventScan scan(connection_, texts, selection, columns);
  for (std::uint64_t i = 1; scan.next(); ++i) {
    if (i % kLookEvery == 0) budget.check(memory());
    const auto& row = scan.row();
    if (!filter.accepts(row)) continue;
    const auto visitor = visitors.number(row.visitor);
    const auto visit = counts_visits && row.visit != nullptr
                           ? visits.number(static_cast<std::uint64_t>(row.visit_id))
                           : 0;
    for (auto& tally : tallies) tally.add(row, visitor, visit);
  }
  budget.check(memory());
  const auto charged_by_scan = budget.charged();
  std::vector<Groups> answers;
  for (auto& tally : tallies) answers.push_back(tally.finish());
  // The groups stay until the last question is answered; all else ends with this function.
  budget.release_to(charged_before + budget.charged() - charged_by_scan);
  return answers;
}

}  // namespace analytics::sqlite
