#include "daemon/cluster/reading/event_reader.h"

#include <chrono>
#include <set>

#include "daemon/cluster/reading/selected_events.h"
#include "daemon/cluster/sql.h"

namespace analytics::cluster {
namespace {

constexpr std::uint64_t kPage = 2'000;  // approximate number of events in a page
constexpr std::chrono::hours kMaxTime{1};
constexpr std::chrono::seconds kBetweenLooksAtMarks{2};
// Maximum memory for moves of events and for texts, in bytes.
constexpr std::size_t kMaxMemory = 268'435'456;

query::Limits limits() { return {kMaxTime, kMaxMemory}; }

/// A UTC day, as days since 1970, and its number of events.
struct DayOfEvents {
  std::int64_t day = 0;
  std::uint64_t events = 0;
};

/// Returns the SQL condition that selects one of `shares` equal shares of the visitors. Visitors
/// are hashes, so each share has about equally many events.
std::string share_of_visitors(std::uint64_t share, std::uint64_t shares) {
  if (shares == 1) return {};
  const auto width = UINT64_MAX / shares;
  auto sql = " AND visitor >= " + std::to_string(share * width);
  if (share + 1 < shares) sql += " AND visitor < " + std::to_string((share + 1) * width);
  return sql;
}

}  // namespace

class ClusterEventReader::Reading final : public store::EventReading {
 public:
  EventSelection selection;
  Marks marks;
  std::string where;
  NodeKeys keys;
  std::atomic<bool> never{false};
  query::Budget budget{limits(), never};
  std::optional<VisitMoves> moves;
  std::chrono::steady_clock::time_point looked_at = std::chrono::steady_clock::now();
  std::vector<DayOfEvents> days;  ///< Days that remain to be read; the last element is the next.
  std::uint64_t share = 0;        ///< Index of the share of the visitors that is being read.
  /// Place of the last event that was read of this share; nullopt before the first.
  std::optional<SelectedEvents::Place> after;
};

Marks ClusterEventReader::read_marks() {
  auto marks = marks_of(server_, cluster_, registered_);
  extent_ = {marks.up_to(), marks.behind()};
  return marks;
}

Result<EventSelection> ClusterEventReader::resolve(const EventSelection& selection) {
  if (!selection.visitor_of) return selection;
  return guarded_read([&] {
    query::Budget budget(limits(), is_cancelled_);
    const auto& wanted = *selection.visitor_of;
    const auto second = std::chrono::floor<std::chrono::seconds>(wanted.time);
    EventSelection then;
    then.site = selection.site;
    then.from = second;
    then.to = second + std::chrono::seconds(1);
    AnswerRows rows({config_, {kMaxTime}, budget},
                    {{"node", NativeReader::Type::kUInt32},
                     {"id", NativeReader::Type::kUInt64},
                     {"visitor", NativeReader::Type::kUInt64}},
                    "FROM events WHERE " + condition_of(then, read_marks(), own_));
    std::set<std::uint64_t> visitors;
    while (rows.next()) {
      const auto& block = rows.block();
      for (std::size_t row = 0; row < block.rows(); ++row) {
        const auto id = lasting_id(static_cast<NodeNumber>(block.number(0, row)),
                                   static_cast<std::uint64_t>(block.number(1, row)), wanted.time);
        if (id == wanted) visitors.insert(static_cast<std::uint64_t>(block.number(2, row)));
      }
    }
    auto resolved = selection;
    resolved.visitor.reset();
    if (!visitors.empty()) resolved.visitor = *visitors.begin();
    return resolved;
  });
}

Result<std::int64_t> ClusterEventReader::count(const EventSelection& selection) {
  return guarded_read([&]() -> std::int64_t {
    if (selection.visitor_of && !selection.visitor) return 0;
    query::Budget budget(limits(), is_cancelled_);
    const ReadAccess access{config_, {kMaxTime, kMaxTime}, budget};
    const auto marks = read_marks();
    const auto where = condition_of(selection, marks, own_);
    std::int64_t count = 0;
    if (!selection.page && !selection.prop && !selection.source) {
      AnswerRows rows(access, {{"count()", NativeReader::Type::kUInt64}},
                      "FROM events WHERE " + where);
      while (rows.next()) count += rows.block().number(0, 0);
      return count;
    }
    NodeKeys keys;
    const VisitMoves moves(access, marks, selection.site, keys);
    SelectedEvents events(access, marks, selection, keys, moves, SelectedEvents::What::kNumber,
                          where);
    while (events.next()) count += events.count();
    return count;
  });
}

Result<std::shared_ptr<store::EventReading>> ClusterEventReader::begin(
    const EventSelection& selection) {
  return guarded_read([&]() -> std::shared_ptr<store::EventReading> {
    auto reading = std::make_shared<Reading>();
    reading->selection = selection;
    if (selection.visitor_of && !selection.visitor) return reading;
    reading->marks = read_marks();
    reading->where = condition_of(selection, reading->marks, own_);
    const ReadAccess access{config_, {kMaxTime}, reading->budget};
    reading->moves.emplace(access, reading->marks, selection.site, reading->keys);
    AnswerRows rows(
        access,
        {{"toUInt16(day)", NativeReader::Type::kUInt16}, {"count()", NativeReader::Type::kUInt64}},
        "FROM events WHERE " + reading->where + " GROUP BY day ORDER BY day DESC");
    while (rows.next()) {
      const auto& block = rows.block();
      for (std::size_t row = 0; row < block.rows(); ++row) {
        reading->days.push_back(
            {block.number(0, row), static_cast<std::uint64_t>(block.number(1, row))});
      }
    }
    return reading;
  });
}

/// Throws ReadFailed if ClickHouse may have lost events, because a client that was told an export
/// is complete must not get a shorter one.
void ClusterEventReader::require_whole(const Reading& reading) {
  if (!reading.moves) return;  // begin() has found that no event is selected
  if (!marks_of(server_, cluster_, registered_).may_lack(reading.marks)) return;
  throw ReadFailed{{ErrorCode::kOverloaded,
                    "ClickHouse may have lost events since this export began; try again.",
                    {}}};
}

Result<store::EventPage> ClusterEventReader::read(store::EventReading& begun) {
  auto& reading = static_cast<Reading&>(begun);
  return guarded_read([&] {
    auto page = next_page(reading);
    const auto now = std::chrono::steady_clock::now();
    if (page.last || now - reading.looked_at > kBetweenLooksAtMarks) {
      require_whole(reading);
      reading.looked_at = now;
    }
    return page;
  });
}

store::EventPage ClusterEventReader::next_page(Reading& reading) {
  store::EventPage page;
  if (reading.days.empty()) {
    page.last = true;
    return page;
  }
  const auto [day, events] = reading.days.back();
  const auto shares = events / kPage + 1;
  auto where = reading.where + " AND day = " + sql_day(Days(std::chrono::days(day))) +
               share_of_visitors(reading.share, shares);
  if (reading.after) {
    where += " AND (visitor, toUInt32(time), node, id) > (" +
             std::to_string(reading.after->visitor) + ", " + std::to_string(reading.after->second) +
             ", " + std::to_string(reading.after->node) + ", " + std::to_string(reading.after->id) +
             ")";
  }
  query::Budget budget(limits(), is_cancelled_);
  SelectedEvents found(
      {config_, {kMaxTime}, budget}, reading.marks, reading.selection, reading.keys, *reading.moves,
      SelectedEvents::What::kAll,
      where + " ORDER BY visitor, time, node, id LIMIT " + std::to_string(2 * kPage));
  std::uint64_t rows = 0;
  auto last = reading.after;
  while (found.next()) {
    rows += found.rows();
    last = found.last();
    found.read(page.events);
  }
  if (rows == 2 * kPage) {
    reading.after = last;
    return page;
  }
  reading.after.reset();
  if (++reading.share == shares) {
    reading.share = 0;
    reading.days.pop_back();
    page.last = reading.days.empty();
  }
  return page;
}

}  // namespace analytics::cluster
