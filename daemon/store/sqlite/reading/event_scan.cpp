#include "daemon/store/sqlite/reading/event_scan.h"

#include <algorithm>

#include "daemon/store/sqlite/db/event_fields.h"
#include "daemon/store/sqlite/tables/row_sweep.h"

namespace analytics::sqlite {
namespace {

using query::Column;
using query::ColumnSet;

/// A column of queries, and the SQL expression that reads it in the statements of this file.
struct Expression {
  Column column;
  std::string sql;
};
using Expressions = std::vector<Expression>;

void add_fields(Expressions& all, bool of_visits, const std::string& table) {
  for (const auto& field : kEventFields) {
    if (is_of_visit(field.scan) != of_visits || field.scan == Column::kName) continue;
    all.push_back({field.scan, "coalesce(" + table + "." + field.column() + ", 0)"});
  }
}

/// Returns the SQL of all columns of an event `e`, except its name and visit, which events_sql()
/// reads first.
const Expressions& event_columns() {
  static const auto kAll = [] {
    Expressions all = {{Column::kTime, "e.time"},
                       {Column::kMillis, "coalesce(e.millis, 0)"},
                       {Column::kVisitor, "e.visitor"},
                       {Column::kRevenue, "coalesce(e.revenue_micros, 0)"},
                       {Column::kEngagedMillis, "coalesce(e.engaged_millis, -1)"},
                       {Column::kScrollDepth, "coalesce(e.scroll_depth, -1)"}};
    add_fields(all, false, "e");
    return all;
  }();
  return kAll;
}

/// Returns the SQL of all columns of a visit `v`, from its first event `f` and its first and last
/// pageview, `en` and `ex`.
const Expressions& visit_columns() {
  static const auto kAll = [] {
    const auto visit = visit_sql("v");
    Expressions all = {{Column::kVisitor, "f.visitor"},
                       {Column::kEntryPage, "coalesce(en.path, 0)"},
                       {Column::kExitPage, "coalesce(ex.path, 0)"},
                       {Column::kEntryHostname, "coalesce(en.hostname, 0)"},
                       {Column::kExitHostname, "coalesce(ex.hostname, 0)"}};
    for (const auto& each : kVisitFacts) {
      all.push_back({query::column_of(each.fact), each.sql(visit)});
    }
    add_fields(all, true, "f");
    for (const auto& own : query::kOwnColumns) {
      if (!is_value(own.kind)) continue;
      all.push_back({own.column, std::string("coalesce(f.") + own.name + ", 0)"});
    }
    return all;
  }();
  return kAll;
}

std::vector<Column> columns_in(const Expressions& expressions, const ColumnSet& columns) {
  std::vector<Column> found;
  for (const auto& each : expressions) {
    if (columns.has(each.column)) found.push_back(each.column);
  }
  return found;
}

/// Returns the SQL of the given columns as a list to append to another, such as ", e.path,
/// e.time".
std::string list_of(const Expressions& expressions, const ColumnSet& columns) {
  std::string list;
  for (const auto& each : expressions) {
    if (columns.has(each.column)) list += ", " + each.sql;
  }
  return list;
}

std::string events_sql(const ColumnSet& columns, const std::string& not_leaving) {
  // The statement reads only the id of the event's visit; VisitLookup finds the visit's columns.
  // `m` is the row of visit_merges if the visit was merged into another.
  const bool needs_visit = columns.needs_visits();
  auto sql = std::string("SELECT e.name, ") +
             (needs_visit ? "coalesce(m.winner, e.visit, 0)" : "0") +
             list_of(event_columns(), columns) + " FROM events e";
  if (needs_visit) sql += " LEFT JOIN visit_merges m ON m.loser = e.visit";
  return sql + kWhereInSpan + " AND e.id <= (SELECT written FROM visit_marks)" + not_leaving;
}

std::string visits_sql(const ColumnSet& columns) {
  auto sql = "SELECT v.id" + list_of(visit_columns(), columns) + " FROM visits v";
  if (columns.has(Column::kVisitor) || columns.has_any(Column::kReferrer, Column::kLanguage)) {
    sql += " LEFT JOIN events f ON f.id = v.first";
  }
  if (columns.has(Column::kEntryPage) || columns.has(Column::kEntryHostname)) {
    sql += " LEFT JOIN events en ON en.id = v.entry";
  }
  if (columns.has(Column::kExitPage) || columns.has(Column::kExitHostname)) {
    sql += " LEFT JOIN events ex ON ex.id = v.exit";
  }
  return sql + " WHERE v.id >= ? AND v.id < ? AND v.site = ?";
}

}  // namespace

VisitLookup::VisitLookup(Connection& connection, DictionaryReader& texts, SiteId site,
                         const ColumnSet& columns)
    : texts_(texts),
      site_(site),
      columns_(columns_in(visit_columns(), columns)),
      select_(connection, visits_sql(columns)) {
  if (!columns_.empty()) slots_.resize(kSlots);
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
      texts_.require(columns_[i], visit.values[i]);
    }
  }
  // The next read covers fewer ids if most of these ids belong to visits of other sites.
  ahead_ = 2 * found >= ahead_ ? std::min(2 * ahead_, kMaxAhead) : std::max<VisitId>(ahead_ / 2, 1);
}

EventScan::EventScan(Connection& connection, DictionaryReader& texts, SiteId site,
                     std::span<const TimeRange> ranges, const ColumnSet& columns, Of of)
    : texts_(texts),
      of_(of),
      columns_(columns_in(event_columns(), columns)),
      visits_(connection, texts, site, columns),
      rows_(connection, events_sql(columns, not_leaving(connection, site)), site, ranges),
      names_(texts) {}

bool EventScan::next(query::EventBatch& batch) {
  std::size_t row = 0;
  while (row < query::EventBatch::kCapacity && rows_.next()) {
    const auto& event = rows_.row();
    const auto name = event.int64(0);
    const auto kind = names_.of(name);
    if ((kind == NameKind::kEngagement) != (of_ == Of::kEngagements)) continue;
    batch.set(Column::kName, row, name);
    batch.set(Column::kIsPageview, row, kind == NameKind::kPageview ? 1 : 0);
    int at = 2;
    for (const auto column : columns_) {
      const auto value = event.int64(at++);
      texts_.require(column, value);
      batch.set(column, row, value);
    }
    read_visit(batch, row, event.int64(1));
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
    const auto value = values == nullptr ? 0 : (*values)[i];
    // An event keeps its own visitor if it has no visit, or if a removal has deleted the visit's
    // first event and not yet rebuilt the visit.
    if (columns[i] != Column::kVisitor || value != 0) batch.set(columns[i], row, value);
  }
}

}  // namespace analytics::sqlite
