#include "daemon/store/sqlite/stats_scan.h"

#include <algorithm>

#include "common/event_payload.h"
#include "daemon/store/sqlite/event_hours.h"
#include "daemon/store/sqlite/rows.h"

namespace analytics::sqlite {
namespace {

// Seconds that the file can hold, where a range has no bound.
constexpr std::int64_t kEver = 1'000'000'000'000;

/// A column where it is asked for: what is not read costs nothing.
std::string if_asked(bool is_asked, const char* column) {
  return is_asked ? std::string(", coalesce(") + column + ", 0)" : ", 0";
}

std::string events_sql(const Columns& columns) {
  auto sql = "SELECT e.time, e.visitor, e.name" + if_asked(columns.path, "e.path") +
             if_asked(columns.hostname, "e.hostname") + if_asked(columns.props, "e.props") +
             if_asked(columns.visit_id, "m.winner, e.visit") +
             (columns.revenue ? ", e.revenue_micros, e.revenue_currency" : "") + " FROM events e";
  if (columns.visit_id) sql += " LEFT JOIN visit_merges m ON m.loser = e.visit";
  return sql +
         " WHERE e.id >= ? AND e.id <= min(?, (SELECT written FROM visit_marks))"
         " AND e.site = ? AND e.time >= ? AND e.time < ?";
}

std::string visits_sql(const Columns& columns) {
  std::string sql =
      "SELECT v.id, v.pageviews < 2 AND v.interactive IS NULL,"
      " (v.started + v.length) / 1000 - v.started / 1000";
  for (const char* column :
       {"f.referrer", "f.source", "f.channel", "f.utm_source", "f.utm_medium", "f.utm_campaign",
        "f.utm_content", "f.utm_term", "f.client", "f.place"}) {
    sql += if_asked(columns.first_event, column);
  }
  sql += if_asked(columns.entry_page, "en.path") + if_asked(columns.exit_page, "ex.path") +
         " FROM visits v";
  if (columns.first_event) sql += " LEFT JOIN events f ON f.id = v.first";
  if (columns.entry_page) sql += " LEFT JOIN events en ON en.id = v.entry";
  if (columns.exit_page) sql += " LEFT JOIN events ex ON ex.id = v.exit";
  return sql + " WHERE v.id >= ? AND v.id < ? AND v.site = ?";
}

}  // namespace

VisitLookup::VisitLookup(Connection& connection, SiteId site, const Columns& columns)
    : site_(site), select_(connection, visits_sql(columns)) {
  if (columns.visit) slots_.resize(static_cast<std::size_t>(kSlots));
}

const VisitRow* VisitLookup::find(VisitId id) {
  if (slot(id).id != id) read_from(id);
  return slot(id).id == id ? &slot(id) : nullptr;
}

void VisitLookup::read_from(VisitId id) {
  VisitId found = 0;
  for (auto row = select_.query(id, id + ahead_, site_); row.next(); ++found) {
    int column = 0;
    const auto visit_id = row.int64(column++);
    auto& visit = slot(visit_id);
    visit.id = visit_id;
    visit.bounced = row.int64(column++) != 0;
    visit.seconds = row.int64(column++);
    visit.referrer = row.int64(column++);
    visit.source = row.int64(column++);
    const auto channel = row.int64(column++);
    visit.channel = channel == 0 ? Channel::kDirect : static_cast<Channel>(channel);
    for (auto& tag : visit.utm) tag = row.int64(column++);
    visit.client = row.int64(column++);
    visit.place = row.int64(column++);
    visit.entry_page = row.int64(column++);
    visit.exit_page = row.int64(column++);
  }
  // Others' visits between are read for nothing: then fewer at once.
  ahead_ =
      2 * found >= ahead_ ? std::min(2 * ahead_, kMostAhead) : std::max<VisitId>(ahead_ / 2, 1);
}

EventScan::EventScan(Connection& connection, DictionaryReader& texts, const Selection& selection,
                     const Columns& columns)
    : columns_(columns),
      texts_(texts),
      visits_(connection, selection.site, columns),
      select_(connection, events_sql(columns)),
      site_(selection.site),
      range_(selection.range),
      spans_(spans_of(connection, selection.site, selection.range)) {
  std::reverse(spans_.begin(), spans_.end());
}

bool EventScan::next_row() {
  while (!rows_ || !rows_->next()) {
    if (spans_.empty()) return false;
    const auto [first, last] = spans_.back();
    spans_.pop_back();
    rows_.reset();
    rows_.emplace(select_.query(first, last, site_, std::max(seconds(range_.from), -kEver),
                                std::min(seconds(range_.to), kEver)));
  }
  return true;
}

bool EventScan::next() {
  while (next_row()) {
    read();
    const auto kind = kind_of(row_.name);
    if (kind == Name::kEngagement) continue;  // belongs to a visit, and is nothing to count
    row_.is_pageview = kind == Name::kPageview;
    return true;
  }
  return false;
}

void EventScan::read() {
  int column = 0;
  row_.time = rows_->int64(column++);
  row_.visitor = static_cast<std::uint64_t>(rows_->int64(column++));
  row_.name = rows_->int64(column++);
  row_.path = rows_->int64(column++);
  row_.hostname = rows_->int64(column++);
  row_.props = rows_->int64(column++);
  row_.visit_id = rows_->int64(column++);
  row_.visit = columns_.visit && row_.visit_id != 0 ? visits_.find(row_.visit_id) : nullptr;
  if (!columns_.revenue) return;
  row_.revenue_micros = rows_->maybe_int64(column++);
  row_.currency = rows_->int64(column++);
}

EventScan::Name EventScan::kind_of(std::int64_t name) {
  const auto index = static_cast<std::size_t>(name);
  if (index >= names_.size()) names_.resize(index + 1);
  auto& kind = names_[index];
  if (kind == Name::kUnknown) {
    const auto text = texts_.text(StringKind::kName, name);
    kind = text == kPageview     ? Name::kPageview
           : text == kEngagement ? Name::kEngagement
                                 : Name::kCustom;
  }
  return kind;
}

}  // namespace analytics::sqlite
