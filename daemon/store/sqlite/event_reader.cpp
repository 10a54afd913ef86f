#include "daemon/store/sqlite/event_reader.h"

#include <algorithm>

#include "daemon/store/sqlite/event_hours.h"
#include "daemon/store/sqlite/rows.h"

namespace analytics::sqlite {
namespace {

constexpr std::int64_t kPage = 2'000;        // events given out at once
constexpr std::size_t kPageBytes = 262'144;  // of their longest texts
constexpr std::int64_t kLooked = 50'000;     // ids looked at for them

// The numbers of kinds are those of StringKind.
constexpr char kSelect[] =
    "SELECT e.id, e.time * 1000 + coalesce(e.millis, 0), e.visitor,"
    " coalesce(m.winner, e.visit), n.value, h.value, p.value, r.value,"
    " so.value, coalesce(e.channel, 1), us.value, um.value, uc.value, ut.value, uk.value, pr.value,"
    " e.passive,"
    " e.revenue_micros, cu.value, cl.device, cl.browser, cl.browser_version, cl.os, cl.os_version,"
    " pl.country, pl.region, pl.city FROM events e"
    " LEFT JOIN visit_merges m ON m.loser = e.visit"
    " LEFT JOIN strings n  ON n.site = e.site  AND n.kind = 1  AND n.id = e.name"
    " LEFT JOIN strings h  ON h.site = e.site  AND h.kind = 2  AND h.id = e.hostname"
    " LEFT JOIN strings p  ON p.site = e.site  AND p.kind = 3  AND p.id = e.path"
    " LEFT JOIN strings r  ON r.site = e.site  AND r.kind = 4  AND r.id = e.referrer"
    " LEFT JOIN strings us ON us.site = e.site AND us.kind = 5 AND us.id = e.utm_source"
    " LEFT JOIN strings um ON um.site = e.site AND um.kind = 6 AND um.id = e.utm_medium"
    " LEFT JOIN strings uc ON uc.site = e.site AND uc.kind = 7 AND uc.id = e.utm_campaign"
    " LEFT JOIN strings ut ON ut.site = e.site AND ut.kind = 8 AND ut.id = e.utm_content"
    " LEFT JOIN strings uk ON uk.site = e.site AND uk.kind = 9 AND uk.id = e.utm_term"
    " LEFT JOIN strings so ON so.site = e.site AND so.kind = 12 AND so.id = e.source"
    " LEFT JOIN strings pr ON pr.site = e.site AND pr.kind = 10 AND pr.id = e.props"
    " LEFT JOIN strings cu ON cu.site = e.site AND cu.kind = 11 AND cu.id = e.revenue_currency"
    " LEFT JOIN clients cl ON cl.site = e.site AND cl.id = e.client"
    " LEFT JOIN places pl ON pl.site = e.site AND pl.id = e.place"
    " WHERE e.id > ?1 AND e.id <= ?2 AND e.site = ?3 AND e.time >= ?4 AND e.time < ?5"
    " ORDER BY e.id LIMIT ?6";

store::RecordedEvent read_event(const Rows& row) {
  store::RecordedEvent event;
  event.id = row.int64(0);
  event.time = UnixMillis(std::chrono::milliseconds(row.int64(1)));
  event.visitor = static_cast<std::uint64_t>(row.int64(2));
  event.visit = row.maybe_int64(3);
  event.name = row.text(4);
  event.hostname = row.text(5);
  event.path = row.text(6);
  event.referrer = row.text(7);
  event.source = row.text(8);
  event.channel = static_cast<Channel>(row.int64(9));
  int column = 10;
  for (auto& tag : event.utm) tag = row.text(column++);
  event.props = row.text(column++);
  event.interactive = !row.maybe_int64(column++).has_value();
  if (const auto micros = row.maybe_int64(column++))
    event.revenue = Revenue{*micros, row.text(column)};
  ++column;
  auto& client = event.client;
  for (auto* part :
       {&client.device, &client.browser, &client.browser_version, &client.os, &client.os_version,
        &event.place.country, &event.place.region, &event.place.city}) {
    *part = row.text(column++);
  }
  return event;
}

}  // namespace

SqliteEventReader::SqliteEventReader(const std::filesystem::path& file)
    : connection_(file, Role::kReader) {}

Result<EventId> SqliteEventReader::newest() {
  try {
    Statement select(connection_, "SELECT coalesce(max(id), 0) FROM events");
    auto rows = select.query();
    rows.next();
    return rows.int64(0);
  } catch (const SqliteError& error) {
    return fail(to_error(error));
  }
}

Result<store::EventPage> SqliteEventReader::read(const store::EventSelection& selection) {
  try {
    const auto upto = std::min(selection.upto, selection.after + kLooked);
    Statement select(connection_, kSelect);
    auto rows = select.query(selection.after, upto, selection.site,
                             std::max(seconds(selection.from), -kMaxSeconds),
                             std::min(seconds(selection.to), kMaxSeconds), kPage);
    store::EventPage page;
    std::size_t bytes = 0;
    while (bytes < kPageBytes && rows.next()) {
      page.events.push_back(read_event(rows));
      bytes += page.events.back().props.size() + page.events.back().path.size();
    }
    const bool is_full =
        bytes >= kPageBytes || static_cast<std::int64_t>(page.events.size()) == kPage;
    page.after = is_full ? page.events.back().id : upto;
    page.last = page.after >= selection.upto;
    return page;
  } catch (const SqliteError& error) {
    return fail(to_error(error));
  }
}

}  // namespace analytics::sqlite
