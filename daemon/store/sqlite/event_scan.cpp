#include "daemon/store/sqlite/event_scan.h"

#include <algorithm>

#include "common/event_payload.h"
#include "daemon/store/sqlite/event_hours.h"
#include "daemon/store/sqlite/rows.h"

namespace analytics::sqlite {
namespace {

using query::Column;
using query::ColumnSet;
using query::index_of;

// Seconds that the file can hold, for a range without a bound.
constexpr std::int64_t kEver = 1'000'000'000'000;

constexpr auto kFirstOfVisit = Column::kIsBounce;

/// An SQL expression for a column, over the tables that the statements below join.
struct Expression {
  Column column;
  const char* sql;
};

// Without the name, which every scan reads. e: the event, m: the merge of its visit into another.
constexpr Expression kEventColumns[] = {
    {Column::kTime, "e.time"},
    {Column::kVisitor, "e.visitor"},
    {Column::kPath, "coalesce(e.path, 0)"},
    {Column::kHostname, "coalesce(e.hostname, 0)"},
    {Column::kProps, "coalesce(e.props, 0)"},
    {Column::kRevenue, "coalesce(e.revenue_micros, 0)"},
    {Column::kCurrency, "coalesce(e.revenue_currency, 0)"},
    {Column::kVisit, "coalesce(m.winner, e.visit, 0)"},  // the last: see read_visit()
};

// v: the visit, f: its first event, en and ex: its first and last pageview.
constexpr Expression kVisitColumns[] = {
    {Column::kIsBounce, "v.pageviews < 2 AND v.interactive IS NULL"},
    {Column::kVisitSeconds, "(v.started + v.length) / 1000 - v.started / 1000"},
    {Column::kReferrer, "coalesce(f.referrer, 0)"},
    {Column::kSource, "coalesce(f.source, 0)"},
    {Column::kChannel, "coalesce(nullif(f.channel, 0), 1)"},  // Channel::kDirect
    {Column::kUtmSource, "coalesce(f.utm_source, 0)"},
    {Column::kUtmMedium, "coalesce(f.utm_medium, 0)"},
    {Column::kUtmCampaign, "coalesce(f.utm_campaign, 0)"},
    {Column::kUtmContent, "coalesce(f.utm_content, 0)"},
    {Column::kUtmTerm, "coalesce(f.utm_term, 0)"},
    {Column::kClient, "coalesce(f.client, 0)"},
    {Column::kPlace, "coalesce(f.place, 0)"},
    {Column::kEntryPage, "coalesce(en.path, 0)"},
    {Column::kExitPage, "coalesce(ex.path, 0)"},
};

bool has_visit_columns(const ColumnSet& columns) {
  return columns.has_any(kFirstOfVisit, Column::kExitPage);
}

/// The columns of a visit are found by its id.
ColumnSet with_visit_id(ColumnSet columns) {
  if (has_visit_columns(columns)) columns.add(Column::kVisit);
  return columns;
}

std::vector<Column> columns_in(std::span<const Expression> expressions, const ColumnSet& columns) {
  std::vector<Column> found;
  for (const auto& each : expressions) {
    if (columns.has(each.column)) found.push_back(each.column);
  }
  return found;
}

/// ", e.path, e.time": the list to append to a first column.
std::string list_of(std::span<const Expression> expressions, const ColumnSet& columns) {
  std::string list;
  for (const auto& each : expressions) {
    if (columns.has(each.column)) list += std::string(", ") + each.sql;
  }
  return list;
}

std::string events_sql(const ColumnSet& columns) {
  auto sql = "SELECT e.name" + list_of(kEventColumns, columns) + " FROM events e";
  if (columns.has(Column::kVisit)) sql += " LEFT JOIN visit_merges m ON m.loser = e.visit";
  return sql +
         " WHERE e.id >= ? AND e.id <= min(?, (SELECT written FROM visit_marks))"
         " AND e.site = ? AND e.time >= ? AND e.time < ?";
}

std::string visits_sql(const ColumnSet& columns) {
  auto sql = "SELECT v.id" + list_of(kVisitColumns, columns) + " FROM visits v";
  if (columns.has_any(Column::kReferrer, Column::kPlace)) {
    sql += " LEFT JOIN events f ON f.id = v.first";
  }
  if (columns.has(Column::kEntryPage)) sql += " LEFT JOIN events en ON en.id = v.entry";
  if (columns.has(Column::kExitPage)) sql += " LEFT JOIN events ex ON ex.id = v.exit";
  return sql + " WHERE v.id >= ? AND v.id < ? AND v.site = ?";
}

std::size_t place_of(Column column) { return index_of(column) - index_of(Column::kVisit); }

}  // namespace

VisitLookup::VisitLookup(Connection& connection, SiteId site, const ColumnSet& columns)
    : site_(site),
      read_(columns_in(kVisitColumns, columns)),
      select_(connection, visits_sql(columns)) {
  if (!read_.empty()) slots_.resize(static_cast<std::size_t>(kSlots));
}

const VisitLookup::Values* VisitLookup::find(VisitId id) {
  if (slot(id).id != id) read_from(id);
  return slot(id).id == id ? &slot(id).values : nullptr;
}

void VisitLookup::read_from(VisitId id) {
  VisitId found = 0;
  for (auto rows = select_.query(id, id + ahead_, site_); rows.next(); ++found) {
    int at = 0;
    const auto visit_id = rows.int64(at++);
    auto& visit = slot(visit_id);
    visit.id = visit_id;
    visit.values[place_of(Column::kVisit)] = visit_id;
    for (const auto column : read_) visit.values[place_of(column)] = rows.int64(at++);
  }
  // Visits of other sites in between are read for nothing: then fewer per read.
  ahead_ =
      2 * found >= ahead_ ? std::min(2 * ahead_, kMostAhead) : std::max<VisitId>(ahead_ / 2, 1);
}

EventScan::EventScan(Connection& connection, DictionaryReader& texts, SiteId site,
                     const TimeRange& range, const ColumnSet& columns)
    : texts_(texts),
      read_(columns_in(kEventColumns, with_visit_id(columns))),
      reads_visits_(has_visit_columns(columns)),
      visits_(connection, site, columns),
      select_(connection, events_sql(with_visit_id(columns))),
      site_(site),
      range_(range),
      spans_(spans_of(connection, site, range)) {
  std::reverse(spans_.begin(), spans_.end());
}

bool EventScan::next_row() {
  while (!rows_ || !rows_->next()) {
    rows_.reset();  // another step would begin again
    if (spans_.empty()) return false;
    const auto [first, last] = spans_.back();
    spans_.pop_back();
    rows_.emplace(select_.query(first, last, site_, std::max(seconds(range_.from), -kEver),
                                std::min(seconds(range_.to), kEver)));
  }
  return true;
}

bool EventScan::next(query::EventBatch& batch) {
  std::size_t row = 0;
  while (row < query::EventBatch::kCapacity && next_row()) {
    const auto name = rows_->int64(0);
    const auto kind = kind_of(name);
    if (kind == Name::kEngagement) continue;
    int at = 1;
    batch.set(Column::kName, row, name);
    for (const auto column : read_) batch.set(column, row, rows_->int64(at++));
    batch.set(Column::kIsPageview, row, kind == Name::kPageview ? 1 : 0);
    if (reads_visits_) read_visit(batch, row);
    ++row;
  }
  batch.set_size(row);
  return row > 0;
}

void EventScan::read_visit(query::EventBatch& batch, std::size_t row) {
  static constexpr VisitLookup::Values kNone{};
  const auto id =
      rows_->int64(static_cast<int>(read_.size()));  // behind the name: the last of them
  const auto* visit = id == 0 ? nullptr : visits_.find(id);
  const auto& values = visit == nullptr ? kNone : *visit;
  for (auto at = index_of(Column::kVisit); at < query::kColumns; ++at) {
    const auto column = static_cast<Column>(at);
    batch.set(column, row, values[place_of(column)]);
  }
}

EventScan::Name EventScan::kind_of(std::int64_t name) {
  const auto index = static_cast<std::size_t>(name);
  if (index >= names_.size()) names_.resize(index + 1);
  auto& kind = names_[index];
  if (kind == Name::kUnknown) {
    const auto text = texts_.text(Column::kName, name);
    kind = text == kPageview     ? Name::kPageview
           : text == kEngagement ? Name::kEngagement
                                 : Name::kCustom;
  }
  return kind;
}

}  // namespace analytics::sqlite
