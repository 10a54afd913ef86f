#include "daemon/store/sqlite/stats_store.h"

#include <algorithm>

#include "daemon/store/sqlite/stats_filter.h"
#include "daemon/store/sqlite/stats_tally.h"

namespace analytics::sqlite {
namespace {

constexpr std::uint64_t kLookEvery = 16'384;  // events between two looks at the memory

/// A question's own bound was met, thrown out of its scan.
struct TooMuch {};

}  // namespace

Result<std::vector<std::vector<store::StatsStore::Groups>>> SqliteStatsStore::run(
    std::span<const Question> questions) {
  try {
    const Deadline deadline(connection_, limits_.deadline);
    const Snapshot snapshot(connection_);
    std::vector<std::vector<Groups>> answers;
    for (const auto& question : questions) answers.push_back(count(question));
    return answers;
  } catch (const SqliteError& error) {
    return fail(to_error(error));
  } catch (const TooMuch&) {
    return fail(ErrorCode::kOverloaded, "The question takes too much memory; ask for less.");
  }
}

std::vector<store::StatsStore::Groups> SqliteStatsStore::count(const Question& question) {
  const auto& selection = question.selection;
  DictionaryReader texts(connection_, selection.site);
  FilterPlan filter(connection_, texts, selection, selection.filter);
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
  EventScan scan(connection_, texts, selection, columns);
  for (std::uint64_t i = 1; scan.next(); ++i) {
    const auto& row = scan.row();
    if (!filter.accepts(row)) continue;
    const auto visitor = visitors.number(row.visitor);
    const auto visit = counts_visits && row.visit != nullptr
                           ? visits.number(static_cast<std::uint64_t>(row.visit_id))
                           : 0;
    for (auto& tally : tallies) tally.add(row, visitor, visit);
    if (i % kLookEvery != 0) continue;
    auto memory = filter.memory() + visitors.memory() + visits.memory();
    for (const auto& tally : tallies) memory += tally.memory();
    if (memory > limits_.memory) throw TooMuch();
  }
  std::vector<Groups> answers;
  for (auto& tally : tallies) answers.push_back(tally.finish());
  return answers;
}

}  // namespace analytics::sqlite
