#include "daemon/store/sqlite/event_reader.h"

#include <algorithm>
#include <map>

#include "daemon/parts/cold_columns.h"
#include "daemon/store/sqlite/changes.h"
#include "daemon/store/sqlite/dictionary_reader.h"
#include "daemon/store/sqlite/event_fields.h"
#include "daemon/store/sqlite/event_hours.h"
#include "daemon/store/sqlite/part_table.h"
#include "daemon/store/sqlite/row_sweep.h"
#include "daemon/store/sqlite/rows.h"

namespace analytics::sqlite {
namespace {

using query::Column;

constexpr std::int64_t kPage = 2'000;        // events given out at once
constexpr std::size_t kPageBytes = 262'144;  // of their longest texts
constexpr std::int64_t kLooked = 50'000;     // ids looked at for them

/// Numbers of visitors and visits of parts begin here. Visits of rows are below; visitors of rows
/// are hashes, which are not likely to be among the few numbers that parts have.
constexpr std::uint64_t kOfParts = std::uint64_t{1} << 62;

std::string select_sql(const std::string& not_leaving) {
  const auto texts = select_texts("e", StringKind::kName, StringKind::kCurrency);
  return "SELECT e.id, e.time * 1000 + coalesce(e.millis, 0), e.visitor,"
         " coalesce(m.winner, e.visit), coalesce(e.channel, 1), e.passive, e.revenue_micros" +
         texts.columns + " FROM events e LEFT JOIN visit_merges m ON m.loser = e.visit" +
         texts.joins +
         " WHERE e.id > ?1 AND e.id <= ?2 AND e.site = ?3 AND e.time >= ?4 AND e.time < ?5" +
         not_leaving + " ORDER BY e.id LIMIT ?6";
}

template <typename Whole, typename Parts>
Whole read_parts(const Rows& row, const Parts& parts, int& column) {
  Whole whole;
  for (const auto& part : parts) whole.*part.text = row.text(column++);
  return whole;
}

store::RecordedEvent read_event(const Rows& row) {
  store::RecordedEvent event;
  event.time = UnixMillis(std::chrono::milliseconds(row.int64(1)));
  event.visitor = static_cast<std::uint64_t>(row.int64(2));
  if (const auto visit = row.maybe_int64(3)) event.visit = static_cast<std::uint64_t>(*visit);
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

/// Looks up the texts of events that are numbers.
class TextCache {
 public:
  /// `texts` must outlive the object.
  explicit TextCache(DictionaryReader& texts) : texts_(texts) {}
  [[nodiscard]] store::RecordedEvent describe(const parts::RawEvent& raw) {
    store::RecordedEvent event;
    event.time = raw.order.first;
    event.channel = static_cast<Channel>(raw[Column::kChannel]);
    event.interactive = !raw.is_passive;
    if (raw[Column::kCurrency] != 0) event.revenue = Revenue{raw.micros, {}};
    for (const auto& field : kEventFields) {
      const auto number = raw[field.scan];
      if (field.kind == StringKind::kClient) {
        event.client = clients_.find(number, [&] { return texts_.client(number); });
      } else if (field.kind == StringKind::kPlace) {
        event.place = places_.find(number, [&] { return texts_.place(number); });
      } else if (auto* text = text_in(event, field)) {
        *text = strings_.find(std::pair(field.kind, number),
                              [&] { return texts_.text(field.scan, number); });
      }
    }
    return event;
  }

 private:
  template <typename Key, typename Value>
  class Known {
   public:
    template <typename Look>
    const Value& find(const Key& key, const Look& look) {
      const auto found = known_.find(key);
      return found != known_.end() ? found->second : known_.emplace(key, look()).first->second;
    }

   private:
    std::map<Key, Value> known_;
  };
  DictionaryReader& texts_;
  Known<std::pair<StringKind, std::uint32_t>, std::string> strings_;
  Known<std::uint32_t, SharedValue<Client>> clients_;
  Known<std::uint32_t, SharedValue<Place>> places_;
};

std::size_t text_bytes(const store::RecordedEvent& event) {
  return event.props.size() + event.path.size();
}

}  // namespace

class SqliteEventReader::Reading final : public store::EventReading {
 public:
  store::EventSelection selection;
  std::shared_ptr<const ReadingPins::Pin> pin;
  std::vector<query::PartId> parts;      ///< Still to be read, the next one last.
  std::vector<parts::RawEvent> of_part;  ///< Those of one part that are still to be given out.
  EventId after = 0;  ///< Rows behind this one, and up to the next, are still to be read.
  EventId upto = 0;
  /// Visitors and visits of parts are numbered for each part.
  std::uint64_t numbers_before = 0;
};

Result<std::shared_ptr<store::EventReading>> SqliteEventReader::begin(
    const store::EventSelection& selection) {
  return guarded([&]() -> std::shared_ptr<store::EventReading> {
    auto reading = std::make_shared<Reading>();
    reading->selection = selection;
    reading->pin = pins_.add();
    const Snapshot snapshot(connection_);
    for (const auto& part : parts_of(connection_, selection.site, {selection.from, selection.to})) {
      if (!part.is_copy) reading->parts.push_back(part.id);
    }
    std::reverse(reading->parts.begin(), reading->parts.end());
    Statement select(connection_, "SELECT coalesce(max(id), 0) FROM events");
    auto rows = select.query();
    rows.next();
    reading->upto = rows.int64(0);
    return reading;
  });
}

Result<store::EventPage> SqliteEventReader::read(store::EventReading& begun) {
  auto& reading = static_cast<Reading&>(begun);
  if (reading.pin->is_over()) return fail(ErrorCode::kInternal, "It takes more than an hour.");
  try {
    const Snapshot snapshot(connection_);
    const bool has_parts = !reading.parts.empty() || !reading.of_part.empty();
    return has_parts ? read_part(reading) : read_rows(reading);
  } catch (const parts::Damaged& damaged) {
    return fail(ErrorCode::kInternal, std::string("Stored columns are damaged: ") + damaged.what());
  } catch (const SqliteError& error) {
    return fail(to_error(error));
  }
}

store::EventPage SqliteEventReader::read_part(Reading& reading) {
  if (reading.of_part.empty()) {
    const auto part = reading.parts.back();
    const auto fetch = [&](std::uint32_t column) { return read_column(connection_, part, column); };
    reading.of_part = parts::read_raw_events(parts::PartHead::read(fetch(parts::kHeadId)), fetch);
    std::reverse(reading.of_part.begin(), reading.of_part.end());
    reading.parts.pop_back();
    reading.numbers_before += parts::kMostEvents;
  }
  static const std::atomic<bool> kNever{false};
  const query::Budget no_limits({std::chrono::hours(1), SIZE_MAX}, kNever);
  DictionaryReader dictionary(connection_, reading.selection.site, no_limits);
  TextCache texts(dictionary);
  store::EventPage page;
  std::size_t bytes = 0;
  while (bytes < kPageBytes && static_cast<std::int64_t>(page.events.size()) < kPage &&
         !reading.of_part.empty()) {
    const auto raw = std::move(reading.of_part.back());
    reading.of_part.pop_back();
    const auto time = std::chrono::floor<std::chrono::seconds>(raw.order.first);
    if (time < reading.selection.from || time >= reading.selection.to) continue;
    auto& event = page.events.emplace_back(texts.describe(raw));
    event.visitor = kOfParts + reading.numbers_before + raw.visitor;
    if (raw.visit != 0) {
      event.visit = kOfParts + reading.numbers_before + static_cast<std::uint64_t>(raw.visit);
    }
    bytes += text_bytes(event);
  }
  if (reading.of_part.empty()) reading.of_part.shrink_to_fit();
  return page;
}

store::EventPage SqliteEventReader::read_rows(Reading& reading) {
  const auto& selection = reading.selection;
  const auto upto = std::min(reading.upto, reading.after + kLooked);
  Statement select(connection_, select_sql(not_leaving(connection_, selection.site)));
  auto rows = select.query(reading.after, upto, selection.site,
                           std::max(seconds(selection.from), -kMaxSeconds),
                           std::min(seconds(selection.to), kMaxSeconds), kPage);
  store::EventPage page;
  std::size_t bytes = 0;
  EventId last = 0;
  while (bytes < kPageBytes && rows.next()) {
    last = rows.int64(0);
    page.events.push_back(read_event(rows));
    bytes += text_bytes(page.events.back());
  }
  const bool is_full =
      bytes >= kPageBytes || static_cast<std::int64_t>(page.events.size()) == kPage;
  reading.after = is_full ? last : upto;
  page.last = reading.after >= reading.upto;
  return page;
}

}  // namespace analytics::sqlite
