#include "daemon/store/sqlite/event_scan.h"

#include <algorithm>

#include "common/event_payload.h"
#include "daemon/store/sqlite/event_hours.h"
#include "daemon/store/sqlite/rows.h"

namespace analytics::sqlite {
namespace {

using query::Column;
using query::ColumnSet;

/// An SQL expression for a column, over the tables that the statements below join.
struct Expression {
  Column column;
  const char* sql;
};

// Beside the name and the visit's id, which events_sql() reads first. e: the event.
constexpr Expression kEventColumns[] = {
    {Column::kTime, "e.time"},
    {Column::kVisitor, "e.visitor"},
    {Column::kPath, "coalesce(e.path, 0)"},
    {Column::kHostname, "coalesce(e.hostname, 0)"},
    {Column::kProps, "coalesce(e.props, 0)"},
    {Column::kRevenue, "coalesce(e.revenue_micros, 0)"},
    {Column::kCurrency, "coalesce(e.revenue_currency, 0)"},
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
  // The columns of a visit are found by its id. m: the merge of the visit into another.
  const bool needs_visit = columns.has_any(Column::kVisit, Column::kExitPage);
  auto sql = std::string("SELECT e.name, ") +
             (needs_visit ? "coalesce(m.winner, e.visit, 0)" : "0") +
             list_of(kEventColumns, columns) + " FROM events e";
  if (needs_visit) sql += " LEFT JOIN visit_merges m ON m.loser = e.visit";
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

}  // namespace

VisitLookup::VisitLookup(Connection& connection, SiteId site, const ColumnSet& columns)
    : site_(site),
      columns_(columns_in(kVisitColumns, columns)),
      select_(connection, visits_sql(columns)) {
  if (!columns_.empty()) slots_.resize(static_cast<std::size_t>(kSlots));
}

const VisitLookup::Values* VisitLookup::find(VisitId id) {
  if (slot(id).id != id) read_from(id);
  return slot(id).id == id ? &slot(id).values : nullptr;
}

void VisitLookup::read_from(VisitId id) {
  VisitId found = 0;
  for (auto rows = select_.query(id, id + ahead_, site_); rows.next(); ++found) {
    const auto visit_id = rows.int64(0);
    auto& visit = slot(visit_id);
    visit.id = visit_id;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      visit.values[i] = rows.int64(static_cast<int>(i) + 1);
    }
  }
  // Visits of other sites in between are read for nothing: then fewer per read.
  ahead_ =
      2 * found >= ahead_ ? std::min(2 * ahead_, kMostAhead) : std::max<VisitId>(ahead_ / 2, 1);
}

EventScan::EventScan(Connection& connection, DictionaryReader& texts, SiteId site,
                     const TimeRange& range, const ColumnSet& columns)
    : texts_(texts),
      columns_(columns_in(kEventColumns, columns)),
      visits_(connection, site, columns),
      select_(connection, events_sql(columns)),
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
    rows_.emplace(select_.query(first, last, site_, std::max(seconds(range_.from), -kMaxSeconds),
                                std::min(seconds(range_.to), kMaxSeconds)));
  }
  return true;
}

bool EventScan::next(query::EventBatch& batch) {
  std::size_t row = 0;
  while (row < query::EventBatch::kCapacity && next_row()) {
    const auto name = rows_->int64(0);
    const auto kind = kind_of(name);
    if (kind == Name::kEngagement) continue;
    batch.set(Column::kName, row, name);
    batch.set(Column::kIsPageview, row, kind == Name::kPageview ? 1 : 0);
    read_visit(batch, row, rows_->int64(1));
    int at = 2;
    for (const auto column : columns_) batch.set(column, row, rows_->int64(at++));
    ++row;
  }
  batch.set_size(row);
  return row > 0;
}

void EventScan::read_visit(query::EventBatch& batch, std::size_t row, VisitId id) {
  const auto& columns = visits_.columns();
  if (columns.empty()) return batch.set(Column::kVisit, row, id);
  const auto* values = id == 0 ? nullptr : visits_.find(id);
  batch.set(Column::kVisit, row, values == nullptr ? 0 : id);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    batch.set(columns[i], row, values == nullptr ? 0 : (*values)[i]);
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
