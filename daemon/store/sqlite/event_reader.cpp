#include "daemon/store/sqlite/event_reader.h"

#include <algorithm>

#include "daemon/store/sqlite/event_fields.h"
#include "daemon/store/sqlite/event_hours.h"
#include "daemon/store/sqlite/rows.h"

namespace analytics::sqlite {
namespace {

constexpr std::int64_t kPage = 2'000;        // events given out at once
constexpr std::size_t kPageBytes = 262'144;  // of their longest texts
constexpr std::int64_t kLooked = 50'000;     // ids looked at for them

std::string select_sql() {
  const auto texts = select_texts("e", StringKind::kName, StringKind::kCurrency);
  return "SELECT e.id, e.time * 1000 + coalesce(e.millis, 0), e.visitor,"
         " coalesce(m.winner, e.visit), coalesce(e.channel, 1), e.passive, e.revenue_micros" +
         texts.columns + " FROM events e LEFT JOIN visit_merges m ON m.loser = e.visit" +
         texts.joins +
         " WHERE e.id > ?1 AND e.id <= ?2 AND e.site = ?3 AND e.time >= ?4 AND e.time < ?5"
         " ORDER BY e.id LIMIT ?6";
}

template <typename Whole, typename Parts>
Whole read_parts(const Rows& row, const Parts& parts, int& column) {
  Whole whole;
  for (const auto& part : parts) whole.*part.text = row.text(column++);
  return whole;
}

store::RecordedEvent read_event(const Rows& row) {
  store::RecordedEvent event;
  event.id = row.int64(0);
  event.time = UnixMillis(std::chrono::milliseconds(row.int64(1)));
  event.visitor = static_cast<std::uint64_t>(row.int64(2));
  event.visit = row.maybe_int64(3);
  event.channel = static_cast<Channel>(row.int64(4));
  event.interactive = !row.maybe_int64(5).has_value();
  if (const auto micros = row.maybe_int64(6)) event.revenue = Revenue{*micros, {}};
  int column = 7;
  for (const auto& field : kEventFields) {  // in the order of select_texts()
    if (field.kind == StringKind::kClient) {
      event.client = read_parts<Client>(row, kClientParts, column);
    } else if (field.kind == StringKind::kPlace) {
      event.place = read_parts<Place>(row, kPlaceParts, column);
    } else {
      if (auto* text = text_in(event, field)) *text = row.text(column);
      ++column;
    }
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
    Statement select(connection_, select_sql());
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
