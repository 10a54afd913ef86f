#include "daemon/query/part_tally.h"

#include <algorithm>
#include <array>
#include <utility>

namespace analytics::query {
namespace {

/// Maximum number of cells that are allocated in advance, one for each possible combination of
/// values. If more are possible, only the combinations that occur get a cell. These cells take 16
/// MiB; if visits are counted, 8 MiB more, and another 8 MiB for each of kVisitFacts.
constexpr std::uint64_t kMaxCells = 1'048'576;

/// A slot has 2^kSlotBits seconds, or 2^kSlotBitsOfMinutes = 32 seconds if events are grouped by
/// minute. That is less than the shortest time bucket, so at most one bucket begins in a slot.
constexpr unsigned kSlotBits = 8;
constexpr unsigned kSlotBitsOfMinutes = 5;

/// The values of each fact, by visit, in the order of kVisitFacts.
using FactColumns = std::array<const std::uint32_t*, kVisitFacts.size()>;

/// Adds the facts of a visit. This is no loop, which a compiler might not unroll.
template <std::size_t... kFact>
inline void add_facts(FactSums& sums, const FactColumns& facts, std::uint32_t visit,
                      std::index_sequence<kFact...>) {
  ((sums.all[kFact] += facts[kFact][visit]), ...);
}

bool precedes(const PartRevenue& revenue, std::size_t event) { return revenue.event < event; }

}  // namespace

PartTally::PartTally(Tally& tally, EventPart& part, ScanNumbers numbers, std::mutex& mutex)
    : tally_(tally), part_(part), numbers_(numbers) {
  const auto& grouping = tally.grouping();
  levels_.resize(grouping.dimensions.size());
  std::uint64_t cells = 1;
  for (std::size_t i = 0; i < levels_.size(); ++i) {
    const bool by_minute = grouping.dimensions[i].dimension.field == Field::kMinute;
    levels_[i].slot_bits = by_minute ? kSlotBitsOfMinutes : kSlotBits;
    prepare(levels_[i], tally.numbers(i), cells, mutex);
    // The number of cells of a numbered level is unknown, so all later levels are numbered, too.
    cells = levels_[i].is_numbered ? kMaxCells + 1 : cells * levels_[i].size;
  }
  const bool is_numbered = !levels_.empty() && levels_.back().is_numbered;
  counts_.resize(is_numbered ? 0 : cells);
  find_shared_visitors();
  if (!grouping.visits) return;
  visit_counts_.resize(counts_.size());
  is_shared_.assign(part.visits(), 0);
  for (const auto& shared : part.shared_visits()) is_shared_[shared.visit] = 1;
}

void PartTally::find_shared_visitors() {
  const auto shared = part_.shared_visits();
  if (shared.empty()) return;
  const auto visitors = part_.by_visit(Column::kVisitor);
  shared_of_visitor_.assign(visitors.back() + std::size_t{1}, 0);
  for (std::uint32_t i = 0; i < shared.size(); ++i) {
    shared_of_visitor_[visitors[shared[i].visit]] = i + 1;
  }
}

void PartTally::prepare(Level& level, DimensionNumbers& numbers, std::uint64_t cells_above,
                        std::mutex& mutex) {
  if (numbers.values) {
    prepare_values(level, *numbers.values);
    level.size = level.values.size();
  } else if (numbers.buckets) {
    level.size = numbers.buckets->size();
    prepare_slots(level, *numbers.buckets);
  } else {
    level.lists.emplace(*numbers.list, part_, mutex);
    level.size = UINT32_MAX;
  }
  level.is_numbered = cells_above * level.size > kMaxCells;
}

/// Finds the value of each code of the part, before any row is counted. Codes with the same text
/// get the same value.
void PartTally::prepare_values(Level& level, ValueNumbers& numbers) const {
  const auto all = part_.numbers(numbers.column());
  std::uint32_t greatest = 0;
  level.of_code.reserve(all.size());
  for (const auto stored : all) {
    level.of_code.push_back(numbers.number_of(stored));
    greatest = std::max(greatest, level.of_code.back());
  }
  std::vector<std::uint32_t> places(numbers.are_of_source() ? 1 : greatest + std::size_t{1}, kNone);
  for (auto& code : level.of_code) {
    const auto next = static_cast<std::uint32_t>(level.values.size());
    // Each text has only one id in the EventSource, so only "no value" can occur several times.
    const bool is_met = code < places.size() && places[code] != kNone;
    if (!is_met) level.values.push_back(code);
    const auto place = is_met ? places[code] : next;
    if (code < places.size()) places[code] = place;
    code = place;
  }
}

void PartTally::prepare_slots(Level& level, const BucketNumbers& buckets) const {
  const auto from = part_.range().from;
  const auto seconds = std::uint32_t{1} << level.slot_bits;
  for (std::uint32_t first = 0; first < part_.times(); first += seconds) {
    const auto begin = from + std::chrono::seconds(first);
    const auto bucket = buckets.bucket_at(begin);
    const auto next = buckets.begin_of_next(bucket);
    const bool is_in_slot = next && *next < begin + std::chrono::seconds(seconds);
    level.slots.push_back(
        {bucket, is_in_slot ? static_cast<std::uint32_t>((*next - from).count()) : UINT32_MAX});
  }
}

void PartTally::add(PartRows& block, const RowList& rows) {
  if (rows.empty()) return;
  assign_cells(block, rows);
  count(block);
  if (tally_.grouping().visits) count_visits(block);
  if (tally_.grouping().revenue) sum_revenue(block);
}

void PartTally::assign_cells(PartRows& block, const RowList& rows) {
  rows_.assign(rows.begin(), rows.end());
  cells_.assign(rows.size(), 0);
  is_whole_block_ = rows.size() == block.size();
  for (std::size_t i = 0; i < levels_.size(); ++i) descend(levels_[i], tally_.numbers(i), block);
}

/// Assigns the rows to the cells of `level`, which split the cells of the previous level.
void PartTally::descend(Level& level, DimensionNumbers& numbers, PartRows& block) {
  if (level.lists) {
    level.lists->begin(block);
    return descend_lists(level);
  }
  const auto count = rows_.size();
  codes_.resize(count);
  auto* const codes = codes_.data();
  if (numbers.buckets) {
    const auto* const times = by_place(block[Column::kTime], room_);
    const auto* const slots = level.slots.data();
    for (std::size_t i = 0; i < count; ++i) {
      const auto& slot = slots[times[i] >> level.slot_bits];
      codes[i] = slot.bucket + (times[i] >= slot.next_begins ? 1U : 0U);
    }
  } else {
    const auto* const stored = by_place(block[numbers.values->column()], room_);
    const auto* const of_code = level.of_code.data();
    for (std::size_t i = 0; i < count; ++i) codes[i] = of_code[stored[i]];
  }
  auto* const cells = cells_.data();
  if (level.is_numbered) {
    for (std::size_t i = 0; i < count; ++i) cells[i] = cell_of(level, cells[i], codes[i]);
  } else {
    const auto size = static_cast<std::uint32_t>(level.size);
    for (std::size_t i = 0; i < count; ++i) cells[i] = cells[i] * size + codes[i];
  }
}

/// Returns the values of rows_, one after another. Copies them to `room`, unless rows_ are the
/// whole block: then returns `values`.
const std::uint32_t* PartTally::by_place(std::span<const std::uint32_t> values,
                                         std::vector<std::uint32_t>& room) const {
  if (is_whole_block_) return values.data();
  room.resize(rows_.size());
  const auto* const rows = rows_.data();
  const auto* const from = values.data();
  auto* const to = room.data();
  for (std::size_t i = 0; i < room.size(); ++i) to[i] = from[rows[i]];
  return to;
}

void PartTally::descend_lists(Level& level) {
  std::swap(rows_, rows_above_);
  std::swap(cells_, cells_above_);
  rows_.clear();
  cells_.clear();
  is_whole_block_ = false;
  auto& lists = *level.lists;
  for (std::size_t i = 0; i < rows_above_.size(); ++i) {
    for (const auto value : lists.of(rows_above_[i])) {
      rows_.push_back(rows_above_[i]);
      cells_.push_back(cell_of(level, cells_above_[i], value));
    }
  }
}

std::uint32_t PartTally::cell_of(Level& level, std::uint32_t above, std::uint32_t value) {
  const auto pair = std::uint64_t{above} << 32 | value;
  const auto cell = level.cells.number(pair);
  if (cell == level.pairs.size()) level.pairs.push_back(pair);
  return cell;
}

// The loops in the counting functions that follow run once per event, so they read through
// unchecked pointers. Cells, rows and visits are in bounds by construction.

void PartTally::count(PartRows& block) {
  if (!levels_.empty() && levels_.back().is_numbered) counts_.resize(levels_.back().pairs.size());
  const bool has_shared = !shared_of_visitor_.empty();
  if (tally_.grouping().events) {
    has_shared ? count_visitors<true, true>(block) : count_visitors<true, false>(block);
  } else {
    has_shared ? count_visitors<false, true>(block) : count_visitors<false, false>(block);
  }
}

template <bool kCountsEvents, bool kHasShared>
void PartTally::count_visitors(PartRows& block) {
  std::array<std::vector<std::uint32_t>, 3> rooms;
  const auto* const visitors = by_place(block[Column::kVisitor], rooms[0]);
  const std::uint32_t* events = nullptr;
  const std::uint32_t* pageviews = nullptr;
  if constexpr (kCountsEvents) {
    events = by_place(block.events(), rooms[1]);
    pageviews = by_place(block.pageviews(), rooms[2]);
  }
  const auto add = [&](Counts& counts, std::size_t i) {
    if constexpr (kCountsEvents) {
      counts.events += events[i];
      counts.pageviews += pageviews[i];
    }
    bool is_new = counts.last_visitor != visitors[i];
    counts.last_visitor = visitors[i];
    if constexpr (kHasShared) {
      if (is_new && shared_of_visitor_[visitors[i]] != 0) {
        shared_visitors_.emplace_back(levels_.empty() ? 0 : cells_[i], visitors[i]);
        is_new = false;
      }
    }
    counts.visitors += is_new ? 1U : 0U;
  };
  if (levels_.empty()) {  // without dimensions there is one cell; its counts stay in registers
    auto counts = counts_.front();
    for (std::size_t i = 0; i < rows_.size(); ++i) add(counts, i);
    counts_.front() = counts;
    return;
  }
  const auto* const cells = cells_.data();
  auto* const all = counts_.data();
  for (std::size_t i = 0; i < rows_.size(); ++i) add(all[cells[i]], i);
}

void PartTally::count_visits(PartRows& block) {
  visit_counts_.resize(counts_.size());
  const auto* const visits = by_place(block[Column::kVisit], room_);
  const auto* const is_shared = is_shared_.data();
  const auto* const is_visit = part_.by_visit(Column::kVisit).data();
  FactColumns facts{};
  std::transform(kVisitFacts.begin(), kVisitFacts.end(), facts.begin(),
                 [&](const auto& each) { return part_.by_visit(column_of(each.fact)).data(); });
  const auto* const cells = cells_.data();
  const auto add = [&](VisitCounts& counts, std::size_t i) {
    const auto visit = visits[i];
    if (counts.last_visit == visit) return;
    counts.last_visit = visit;
    if (is_shared[visit] != 0) {
      shared_.emplace_back(cells[i], visit);
      return;
    }
    counts.visits += is_visit[visit];
    add_facts(counts.facts, facts, visit, std::make_index_sequence<kVisitFacts.size()>());
  };
  if (levels_.empty()) {  // without dimensions there is one cell; its counts stay in registers
    auto counts = visit_counts_.front();
    for (std::size_t i = 0; i < rows_.size(); ++i) add(counts, i);
    visit_counts_.front() = counts;
    return;
  }
  auto* const all = visit_counts_.data();
  for (std::size_t i = 0; i < rows_.size(); ++i) add(all[cells[i]], i);
}

void PartTally::sum_revenue(PartRows& block) {
  const auto all = part_.revenues();
  const auto first = std::lower_bound(all.begin(), all.end(), block.first(), precedes);
  const auto end = std::lower_bound(first, all.end(), block.first() + block.size(), precedes);
  if (first == end) return;
  // For each row of the block: 1 + index of its revenue, counted from `first`; 0 if it has no
  // revenue.
  std::array<std::uint32_t, EventPart::kBlock> place{};
  for (auto at = first; at != end; ++at) {
    place[at->event - block.first()] = static_cast<std::uint32_t>(at - first) + 1;
  }
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (place[rows_[i]] == 0) continue;
    const auto& revenue = first[place[rows_[i]] - 1];
    auto& total = revenue_[{cells_[i], revenue.currency}];
    total.micros += revenue.micros;
    ++total.events;
  }
}

std::uint32_t PartTally::group_of(std::uint32_t cell) {
  values_.resize(levels_.size());
  for (auto depth = levels_.size(); depth-- > 0;) {
    const auto& level = levels_[depth];
    const auto size = static_cast<std::uint32_t>(level.size);
    auto value = level.is_numbered ? static_cast<std::uint32_t>(level.pairs[cell]) : cell % size;
    cell = level.is_numbered ? static_cast<std::uint32_t>(level.pairs[cell] >> 32) : cell / size;
    values_[depth] = level.values.empty() ? value : level.values[value];
  }
  return tally_.group_of(values_);
}

std::size_t PartTally::memory() const {
  auto bytes = counts_.capacity() * sizeof(Counts) +
               visit_counts_.capacity() * sizeof(VisitCounts) +
               (is_shared_.capacity() + shared_of_visitor_.capacity()) * sizeof(std::uint32_t) +
               (shared_.capacity() + shared_visitors_.capacity()) * sizeof(shared_[0]);
  for (const auto& level : levels_) {
    bytes += level.cells.memory() + level.pairs.capacity() * sizeof(level.pairs[0]);
  }
  return bytes;
}

void PartTally::finish() {
  for (std::uint32_t cell = 0; cell < counts_.size(); ++cell) {
    const auto& counts = counts_[cell];
    if (counts.last_visitor == kNone) continue;
    const auto group = group_of(cell);
    auto& sums = tally_.sums();
    sums.visitors[group] += counts.visitors;
    if (!sums.events.empty()) {
      sums.events[group].events += counts.events;
      sums.events[group].pageviews += counts.pageviews;
    }
    if (visit_counts_.empty()) continue;
    const auto& visits = visit_counts_[cell];
    sums.visits[group].visits += visits.visits;
    sums.visits[group].facts += visits.facts;
  }
  const auto all_shared = part_.shared_visits();
  for (const auto& [cell, visit] : shared_) {
    const auto at = std::lower_bound(
        all_shared.begin(), all_shared.end(), visit,
        [](const SharedVisit& shared, std::uint32_t place) { return shared.visit < place; });
    FactSums facts;
    for (const auto& each : kVisitFacts) {
      facts[each.fact] = part_.by_visit(column_of(each.fact))[visit];
    }
    tally_.add_visit(numbers_.visits.number(static_cast<std::uint64_t>(at->id)), group_of(cell),
                     facts);
  }
  for (const auto& [cell, visitor] : shared_visitors_) {
    const auto& shared = all_shared[shared_of_visitor_[visitor] - 1];
    tally_.add_visitor(numbers_.visitors.number(shared.visitor), group_of(cell));
  }
  for (const auto& [key, total] : revenue_) {
    tally_.add_revenue(group_of(key.first), key.second, total);
  }
  tally_.check_budget();
}

}  // namespace analytics::query
