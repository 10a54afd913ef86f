#include "daemon/cluster/reading/visit_table.h"

#include <algorithm>
#include <map>

#include "daemon/cluster/reading/conditions.h"
#include "daemon/cluster/reading/stored_columns.h"
#include "daemon/cluster/sql.h"
#include "daemon/model/visit.h"

namespace analytics::cluster {
namespace {

using query::Column;
using query::ColumnSet;
using Type = NativeReader::Type;

// Approximate size of an entry of VisitMoves::Winners, in bytes.
constexpr std::size_t kMoveEntry = 64;
// Maximum number of visits per statement, to stay below 256 KiB.
constexpr std::size_t kVisitsAtOnce = 10'000;
// Index of the first column of columns_ in the answer; the columns before it are read for every
// visit.
constexpr std::size_t kFirstOwn = 4;

/// All columns of visits, in the order in which statements select them.
const std::vector<StoredColumn>& all_columns() {
  static const std::vector<StoredColumn> kAll = [] {
    const VisitSql visit{"started", "ended", "pageviews", "interactive"};
    std::vector<StoredColumn> all = {{Column::kVisitor, {{"visitor", Type::kUInt64}}},
                                     {Column::kEntryPage, {{"entry_page", Type::kString}}},
                                     {Column::kExitPage, {{"exit_page", Type::kString}}},
                                     {Column::kEntryHostname, {{"entry_hostname", Type::kString}}},
                                     {Column::kExitHostname, {{"exit_hostname", Type::kString}}}};
    for (const auto& each : kVisitFacts) {
      const auto sql = each.sql(visit);
      const auto asked = each.is_flag ? AskedColumn{sql, Type::kUInt8}
                                      : AskedColumn{"toUInt32(" + sql + ")", Type::kUInt32};
      all.push_back({query::column_of(each.fact), {asked}});
    }
    const auto& arrival = arrival_columns();
    all.insert(all.end(), arrival.begin(), arrival.end());
    return all;
  }();
  return kAll;
}

std::vector<Column> columns_in(const ColumnSet& columns) {
  std::vector<Column> found;
  for (const auto& each : all_columns()) {
    if (columns.has(each.column)) found.push_back(each.column);
  }
  return found;
}

std::vector<AskedColumn> asked_of(const std::vector<Column>& columns) {
  std::vector<AskedColumn> asked = {{"node", Type::kUInt32},
                                    {"visit", Type::kUInt64},
                                    {"version", Type::kUInt64},
                                    {"gone", Type::kUInt8}};
  for (const auto& each : all_columns()) {
    if (std::find(columns.begin(), columns.end(), each.column) == columns.end()) continue;
    asked.insert(asked.end(), each.asked.begin(), each.asked.end());
  }
  return asked;
}

std::uint64_t u64(std::int64_t value) { return static_cast<std::uint64_t>(value); }

}  // namespace

std::uint64_t NodeKeys::place_of(NodeNumber node) {
  const auto found = std::find(nodes_.begin(), nodes_.end(), node);
  if (found == nodes_.end()) nodes_.push_back(node);
  return u64(std::find(nodes_.begin(), nodes_.end(), node) - nodes_.begin());
}

VisitMoves::VisitMoves(const ReadAccess& access, const Marks& marks, SiteId site, NodeKeys& keys)
    : site_(site), keys_(keys), charges_(access.budget) {
  refresh(access, marks);
}

void VisitMoves::refresh(const ReadAccess& access, const Marks& marks) {
  AnswerRows rows(access,
                  {{"node", Type::kUInt32},
                   {"visit", Type::kUInt64},
                   {"event", Type::kUInt64},
                   {"argMax(winner, version)", Type::kUInt64}},
                  "FROM visit_moves WHERE site = " + std::to_string(site_) + " AND " +
                      marks.of_nodes() + " GROUP BY node, visit, event");
  while (rows.next()) {
    const auto& block = rows.block();
    const auto known = of_events_.size() + of_visits_.size();
    for (std::size_t row = 0; row < block.rows(); ++row) {
      const auto node = static_cast<NodeNumber>(block.number(0, row));
      const auto key = [&](std::size_t column) {
        return keys_.key(node, u64(block.number(column, row)));
      };
      const auto event = key(2);
      (event == 0 ? of_visits_ : of_events_)[event == 0 ? key(1) : event] = key(3);
    }
    charges_.add((of_events_.size() + of_visits_.size() - known) * kMoveEntry);
  }
}

std::vector<AskedColumn> VisitMoves::event_columns() {
  return {{"node", Type::kUInt32}, {"visit", Type::kUInt64}, {"id", Type::kUInt64}};
}

void VisitMoves::find(const NativeReader& block, std::vector<VisitKey>& visits) const {
  visits.clear();
  for (std::size_t row = 0; row < block.rows(); ++row) {
    const auto node = static_cast<NodeNumber>(block.number(0, row));
    const auto key = [&](std::size_t column) {
      return keys_.key(node, u64(block.number(column, row)));
    };
    visits.push_back(visit_of(key(2), key(1)));
  }
}

/// Returns the current visit of an event. `visit`: the visit in the event's row.
VisitKey VisitMoves::visit_of(VisitKey event, VisitKey visit) const {
  if (const auto moved = of_events_.find(event); moved != of_events_.end()) visit = moved->second;
  const auto merged = of_visits_.find(visit);
  return merged == of_visits_.end() ? visit : merged->second;
}

std::vector<VisitKey> VisitMoves::visits_in(const std::unordered_set<VisitKey>& visits) const {
  std::vector<VisitKey> found;
  for (const auto& [visit, winner] : of_visits_) {
    if (visits.contains(winner)) found.push_back(visit);
  }
  return found;
}

std::vector<VisitKey> VisitMoves::events_in(const std::unordered_set<VisitKey>& visits) const {
  std::vector<VisitKey> found;
  for (const auto& [event, visit] : of_events_) {
    if (visits.contains(visit_of(event, visit))) found.push_back(event);
  }
  return found;
}

VisitTable::VisitTable(const ReadAccess& access, const Marks& marks, SiteId site,
                       const ColumnSet& columns, EventTexts& texts, NodeKeys& keys)
    : access_(access),
      marks_(marks),
      site_(site),
      columns_(columns_in(columns)),
      texts_(texts),
      keys_(keys),
      charges_(access.budget) {}

std::uint32_t VisitTable::place_of(VisitKey visit) {
  const auto place = places_.number(visit);
  if (place == states_.size()) {
    states_.emplace_back();
    values_.resize(values_.size() + columns_.size());
  }
  return place;
}

void VisitTable::load(Days first, Days last) {
  read("born >= " + sql_day(first) + " AND born <= " + sql_day(last));
}

void VisitTable::require(std::span<const VisitKey> visits) {
  NumbersByNode unknown("visit");
  const auto read_unknown = [&] {
    if (unknown.size() > 0) read(unknown.sql());
    unknown = NumbersByNode("visit");
  };
  required_.clear();
  VisitKey last = 0;
  auto place = kNone;
  for (const auto visit : visits) {
    const auto known = states_.size();
    // Neighbouring events often have the same visit.
    if (visit != last) place = visit == 0 ? kNone : place_of(visit);
    last = visit;
    required_.push_back(place);
    if (place == kNone || place < known) continue;
    unknown.add(keys_.node_of(visit), NodeKeys::number_of(visit));
    if (unknown.size() == kVisitsAtOnce) read_unknown();
  }
  read_unknown();
}

const std::uint32_t* VisitTable::required(std::size_t at) const {
  const auto place = required_[at];
  const bool is_there = place != kNone && states_[place].is_there;
  return is_there ? values_.data() + place * columns_.size() : nullptr;
}

void VisitTable::read(const std::string& condition) {
  AnswerRows rows(access_, asked_of(columns_),
                  "FROM visits WHERE site = " + std::to_string(site_) + " AND " +
                      marks_.of_nodes() + " AND " + condition);
  while (rows.next()) {
    for (std::size_t row = 0; row < rows.block().rows(); ++row) add(rows.block(), row);
    charge();
    access_.budget.check(rows.memory());
  }
}

/// Charges the growth of the table to the budget.
void VisitTable::charge() {
  const auto memory = places_.memory() + states_.capacity() * sizeof(State) +
                      values_.capacity() * sizeof(values_[0]) + visitor_numbers_.memory() +
                      visitors_.capacity() * sizeof(visitors_[0]);
  if (memory <= charged_) return;
  charges_.add(memory - charged_);
  charged_ = memory;
}

/// Adds a row unless a newer version of the row's visit is known. The versions of a visit come in
/// any order.
void VisitTable::add(const NativeReader& block, std::size_t row) {
  const auto place =
      place_of(keys_.key(static_cast<NodeNumber>(block.number(0, row)), u64(block.number(1, row))));
  auto& state = states_[place];
  const auto version = u64(block.number(2, row));
  if (version < state.version) return;
  state = {version, block.number(3, row) == 0};
  if (!state.is_there) return;
  std::size_t at = kFirstOwn;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    values_[place * columns_.size() + i] = value(block, row, columns_[i], at);
  }
}

/// Returns a visit's value of a column. `at`: index of the first column of the answer from which
/// the value is computed; the call moves it past the last such column.
std::uint32_t VisitTable::value(const NativeReader& block, std::size_t row, Column column,
                                std::size_t& at) {
  if (query::fact_of(column)) return static_cast<std::uint32_t>(block.number(at++, row));
  if (column != Column::kVisitor) return stored_number(block, row, column, at, texts_);
  const auto id = u64(block.number(at++, row));
  const auto number = visitor_numbers_.number(id);
  if (number == visitors_.size()) visitors_.push_back(id);
  return number;
}

}  // namespace analytics::cluster
