#include "daemon/store/sqlite/reading/event_reader.h"

#include <algorithm>
#include <map>

#include "daemon/parts/cold_columns.h"
#include "daemon/store/sqlite/db/changes.h"
#include "daemon/store/sqlite/db/event_fields.h"
#include "daemon/store/sqlite/db/rows.h"
#include "daemon/store/sqlite/reading/raw_events.h"
#include "daemon/store/sqlite/tables/event_hours.h"
#include "daemon/store/sqlite/tables/event_rows.h"
#include "daemon/store/sqlite/tables/part_table.h"
#include "daemon/store/sqlite/tables/removal_table.h"
#include "daemon/store/sqlite/tables/row_sweep.h"

namespace analytics::sqlite {
namespace {

using query::Column;
using query::RawEvent;

constexpr std::int64_t kPage = 2'000;        // maximum number of events per page of an export
constexpr std::size_t kPageBytes = 262'144;  // bytes of texts after which a page of an export ends
// maximum number of event ids looked at per page of an export
constexpr std::int64_t kLooked = 50'000;

/// First id that an export gives to visitors and visits of parts. Visits in rows have lower ids.
/// Visitors in rows are hashes, which are unlikely to equal one of the few ids used for parts.
constexpr std::uint64_t kOfParts = std::uint64_t{1} << 62;

/// Converts raw events to RecordedEvents: looks up their texts, and caches them.
class TextCache {
 public:
  /// `texts` must outlive the object.
  explicit TextCache(DictionaryReader& texts) : texts_(texts) {}
  [[nodiscard]] store::RecordedEvent describe(const query::RawEvent& raw) {
    store::RecordedEvent event;
    event.time = raw.order.first;
    event.visitor = raw.visitor;
    if (raw.visit != 0) event.visit = static_cast<std::uint64_t>(raw.visit);
    event.channel = static_cast<Channel>(raw[Column::kChannel]);
    event.screen = static_cast<ScreenClass>(raw[Column::kScreen]);
    event.language = static_cast<LanguageNumber>(raw[Column::kLanguage]);
    event.interactive = !raw.is_passive;
    event.engagement = raw.engagement;
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

std::vector<RawEvent> read_part_events(Connection& connection, query::PartId part) {
  const auto fetch = [&](std::uint32_t column) { return read_column(connection, part, column); };
  return parts::read_raw_events(parts::PartHead::read(fetch(parts::kHeadId)), fetch);
}

/// Returns the selection without the days whose events are being removed because daily totals
/// replace them.
EventSelection left_of(Connection& connection, EventSelection selection) {
  selection.from = counted_range(connection, selection.site, {selection.from, selection.to}).from;
  return selection;
}

/// Calls `read` in a snapshot of the database. Exceptions become the errors of EventReader.
template <typename Read>
auto in_snapshot(Connection& connection, Read read) -> Result<decltype(read())> {
  try {
    const Snapshot snapshot(connection);
    return read();
  } catch (const parts::Damaged& damaged) {
    return fail(to_error(damage(std::string("stored columns: ") + damaged.what())));
  } catch (const query::LimitReached&) {
    return fail(ErrorCode::kOverloaded, "The service ends.");
  } catch (const SqliteError& error) {
    return fail(to_error(error));
  } catch (const Error& error) {
    return fail(error);
  }
}

}  // namespace

class SqliteEventReader::Reading final : public store::EventReading {
 public:
  EventSelection selection;
  std::shared_ptr<const ReadingPins::Pin> pin;
  std::vector<query::PartId> parts;  ///< Sealed parts left to read, the next one last.
  /// Events of the current part that are left to return, the next one last.
  std::vector<RawEvent> of_part;
  /// Event id up to which rows were read. Rows with higher ids, up to `upto`, are left to read.
  EventId after = 0;
  EventId upto = 0;
  /// Number that is added to the visitor and visit ids of the current part, because each part has
  /// its own ids.
  std::uint64_t numbers_before = 0;
};

Result<EventSelection> SqliteEventReader::resolve(const EventSelection& selection) {
  if (!selection.visitor_of) return selection;
  return in_snapshot(connection_, [&] {
    const auto second = std::chrono::floor<std::chrono::seconds>(selection.visitor_of->time);
    auto then = selection;
    then.from = second;
    then.to = second + std::chrono::seconds(1);
    const auto budget = this->budget();
    const auto key = read_hash_key(connection_);
    DictionaryReader texts(connection_, selection.site, budget);
    EventMatcher of_rows(texts, then, key);
    const TimeRange range{then.from, then.to};
    NameKinds names(texts);
    EventRows rows(connection_,
                   select_raw_events() + kWhereInSpan + not_leaving(connection_, selection.site),
                   selection.site, {&range, 1});
    while (rows.next()) {
      const auto event = read_raw_event(rows.row(), names);
      of_rows.find_visitors({&event, 1});
    }
    auto visitors = of_rows.visitors().size();
    for (const auto part : sealed_parts(connection_, then.site, range)) {
      EventMatcher of_part(texts, then, key);
      of_part.find_visitors(read_part_events(connection_, part));
      visitors += of_part.visitors().size();
    }
    if (visitors > 1) {
      throw Error{ErrorCode::kInvalidParameter,
                  "Several visitors had such an event at that moment: name another one.",
                  {{"visitor_of", "stands for events of several visitors"}}};
    }
    auto resolved = selection;
    resolved.visitor.reset();
    if (!of_rows.visitors().empty()) resolved.visitor = of_rows.visitors().begin()->id;
    return resolved;
  });
}

Result<std::int64_t> SqliteEventReader::count(const EventSelection& selection) {
  return in_snapshot(connection_, [&] {
    const auto budget = this->budget();
    DictionaryReader texts(connection_, selection.site, budget);
    const PendingRemovals removals(connection_, selection.site);
    const auto left = left_of(connection_, selection);
    auto count = count_rows(left, budget, texts, removals);
    const auto key = read_hash_key(connection_);
    for (const auto part : sealed_parts(connection_, left.site, {left.from, left.to})) {
      budget.check_time();
      auto events = read_part_events(connection_, part);
      RemovalFilter(connection_, texts, removals).leave_out_of_part(part, events);
      EventMatcher(texts, left, key).filter(events, EventMatcher::Keep::kMatching);
      count += std::ssize(events);
    }
    return count;
  });
}

std::int64_t SqliteEventReader::count_rows(const EventSelection& selection,
                                           const query::Budget& budget, DictionaryReader& texts,
                                           const PendingRemovals& removals) {
  RemovalFilter removed(connection_, texts, removals);
  EventMatcher matcher(texts, selection, read_hash_key(connection_));
  RowSources sources(connection_);
  NameKinds names(texts);
  const TimeRange range{selection.from, selection.to};
  EventRows rows(connection_,
                 select_raw_events() + kWhereInSpan + not_leaving(connection_, selection.site),
                 selection.site, {&range, 1});
  std::int64_t count = 0;
  std::vector<RawEvent> events;
  for (bool has_more = true; has_more;) {
    budget.check_time();
    events.clear();
    while (std::ssize(events) < kPage && (has_more = rows.next())) {
      events.push_back(read_raw_event(rows.row(), names));
    }
    removed.leave_out_of_rows(events);
    count += std::count_if(events.begin(), events.end(), [&](const RawEvent& event) {
      return matcher.matches(event, [&](const auto& of) { return sources.of(of); });
    });
  }
  return count;
}

Result<std::shared_ptr<store::EventReading>> SqliteEventReader::begin(
    const EventSelection& selection) {
  return guarded([&]() -> std::shared_ptr<store::EventReading> {
    auto reading = std::make_shared<Reading>();
    reading->selection = selection;
    reading->pin = pins_.add();
    const Snapshot snapshot(connection_);
    reading->parts = sealed_parts(connection_, selection.site, {selection.from, selection.to});
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
  if (reading.pin->is_over())
    return fail(ErrorCode::kInternal, "The export takes more than an hour: select fewer days.");
  return in_snapshot(connection_, [&] {
    const bool has_parts = !reading.parts.empty() || !reading.of_part.empty();
    return has_parts ? read_part(reading) : read_rows(reading);
  });
}

store::EventPage SqliteEventReader::read_part(Reading& reading) {
  const auto budget = this->budget();
  const auto key = read_hash_key(connection_);
  DictionaryReader dictionary(connection_, reading.selection.site, budget);
  if (reading.of_part.empty()) {
    const auto part = reading.parts.back();
    reading.of_part = read_part_events(connection_, part);
    const PendingRemovals removals(connection_, reading.selection.site);
    RemovalFilter(connection_, dictionary, removals).leave_out_of_part(part, reading.of_part);
    EventMatcher(dictionary, left_of(connection_, reading.selection), key)
        .filter(reading.of_part, EventMatcher::Keep::kMatching);
    std::reverse(reading.of_part.begin(), reading.of_part.end());
    reading.parts.pop_back();
    reading.numbers_before += parts::kMaxEvents;
  }
  TextCache texts(dictionary);
  store::EventPage page;
  std::size_t bytes = 0;
  while (bytes < kPageBytes && std::ssize(page.events) < kPage && !reading.of_part.empty()) {
    const auto raw = std::move(reading.of_part.back());
    reading.of_part.pop_back();
    auto& event = page.events.emplace_back(texts.describe(raw));
    event.id = lasting_id(key, reading.selection.site, raw);
    event.visitor += kOfParts + reading.numbers_before;
    if (event.visit) *event.visit += kOfParts + reading.numbers_before;
    bytes += text_bytes(event);
  }
  if (reading.of_part.empty()) reading.of_part.shrink_to_fit();
  return page;
}

store::EventPage SqliteEventReader::read_rows(Reading& reading) {
  const auto selection = left_of(connection_, reading.selection);
  const auto upto = std::min(reading.upto, reading.after + kLooked);
  const auto budget = this->budget();
  const auto key = read_hash_key(connection_);
  DictionaryReader dictionary(connection_, selection.site, budget);
  EventMatcher matcher(dictionary, selection, key);
  RowSources sources(connection_);
  NameKinds names(dictionary);
  TextCache texts(dictionary);
  Statement select(connection_,
                   select_raw_events() +
                       " WHERE e.id > ?1 AND e.id <= ?2 AND e.site = ?3 AND e.time >= ?4"
                       " AND e.time < ?5" +
                       not_leaving(connection_, selection.site) + " ORDER BY e.id LIMIT ?6");
  auto rows = select.query(reading.after, upto, selection.site,
                           std::max(seconds(selection.from), -kMaxSeconds),
                           std::min(seconds(selection.to), kMaxSeconds), kPage);
  std::vector<RawEvent> events;
  while (rows.next()) events.push_back(read_raw_event(rows, names));
  reading.after = std::ssize(events) == kPage ? events.back().order.second : upto;
  const PendingRemovals removals(connection_, selection.site);
  RemovalFilter(connection_, dictionary, removals).leave_out_of_rows(events);
  store::EventPage page;
  std::size_t bytes = 0;
  for (auto raw = events.begin(); raw != events.end(); ++raw) {
    if (bytes >= kPageBytes) {
      reading.after = std::prev(raw)->order.second;
      break;
    }
    if (!matcher.matches(*raw, [&](const auto& of) { return sources.of(of); })) continue;
    auto& event = page.events.emplace_back(texts.describe(*raw));
    event.id = lasting_id(key, selection.site, *raw);
    bytes += text_bytes(event);
  }
  page.last = reading.after >= reading.upto;
  return page;
}

}  // namespace analytics::sqlite
