#include "daemon/store/sqlite/columns/seal_job.h"

#include <algorithm>
#include <map>

#include "daemon/store/sqlite/columns/whole_part.h"
#include "daemon/store/sqlite/db/rows.h"
#include "daemon/store/sqlite/reading/event_scan.h"
#include "daemon/store/sqlite/reading/raw_scan.h"
#include "daemon/store/sqlite/tables/event_rows.h"

namespace analytics::sqlite {
namespace {

using query::Column;

/// Maximum number of events in memory at once (60 MiB), from one or more pieces (groups of
/// visitors).
constexpr std::uint64_t kEventsAtOnce = 524'288;
constexpr std::int64_t kBetweenChecks = 4'096;  // events between two checks for cancellation

std::int64_t millis(UnixSeconds time) { return 1'000 * seconds(time); }

/// A visit that can have events of several visitors or days ("wide").
struct WideVisit {
  bool is_named = false;
  bool is_outside = false;  ///< True if the visit has events before or after the days to seal.
  /// Time of the visit's first activity; the visit has no earlier events.
  UnixSeconds active_from{};
  std::uint64_t visitor = 0;  ///< Visitor of the visit's first event.
};

/// Returns the wide visits (see WideVisit) among the site's visits with ids from `first` to `last`.
/// The SQL shifts times to be positive, so that division by a day rounds down.
std::map<VisitId, WideVisit> wide_visits(Connection& connection, const SiteDays& sealed,
                                         VisitId first, VisitId last) {
  Statement select(connection,
                   "SELECT id, named IS NOT NULL, started < ?1 OR"
                   " started + length + coalesce(active_after, 0) >= ?2,"
                   " started - coalesce(active_before, 0) AS active_from,"
                   " started + length + coalesce(active_after, 0) AS active_to,"
                   " (SELECT visitor FROM events e WHERE e.id = visits.first) FROM visits"
                   " WHERE id >= ?3 AND id <= ?4 AND site = ?5 AND (named IS NOT NULL OR"
                   " (active_from + 86400000000000000) / 86400000 <>"
                   " (active_to + 86400000000000000) / 86400000)");
  std::map<VisitId, WideVisit> visits;
  const auto range = sealed.range();
  auto rows = select.query(millis(range.from), millis(range.to), first, last, sealed.site);
  while (rows.next()) {
    const auto from = std::chrono::floor<std::chrono::seconds>(to_unix_millis(rows.int64(3)));
    visits.emplace_hint(visits.end(), rows.int64(0),
                        WideVisit{rows.int64(1) != 0, rows.int64(2) != 0, from,
                                  static_cast<std::uint64_t>(rows.maybe_int64(5).value_or(0))});
  }
  return visits;
}

/// A set of numbers, stored as a vector. Adding a number again has no effect.
class Numbers {
 public:
  void add(std::int64_t number) {
    if (!numbers_.empty() && numbers_.back() == number) return;
    numbers_.push_back(number);
    if (numbers_.size() >= most_) {
      (void)in_order();
      most_ = std::max(most_, 2 * numbers_.size());
    }
  }
  [[nodiscard]] const std::vector<std::int64_t>& in_order() {
    std::sort(numbers_.begin(), numbers_.end());
    numbers_.erase(std::unique(numbers_.begin(), numbers_.end()), numbers_.end());
    return numbers_;
  }

 private:
  std::vector<std::int64_t> numbers_;
  std::size_t most_ = 1'048'576;
};

/// Calls take(visitor, visit) for each event of the site in the time range, up to the event `last`.
/// `visit` is 0 for an event without a visit.
template <typename Take>
void each_member(Connection& connection, SiteId site, const TimeRange& range, EventId last,
                 const Take& take) {
  static const auto kMembers = std::string(
                                   "SELECT e.visitor, coalesce(m.winner, e.visit, 0) FROM events e"
                                   " LEFT JOIN visit_merges m ON m.loser = e.visit") +
                               kWhereInSpan;
  EventRows rows(connection, kMembers, site, {&range, 1}, last);
  while (rows.next()) {
    take(static_cast<std::uint64_t>(rows.row().int64(0)), VisitId{rows.row().int64(1)});
  }
}

}  // namespace

std::uint64_t Companions::leader_of(std::uint64_t visitor) {
  auto at = above_.find(visitor);
  if (at == above_.end()) return visitor;
  auto leader = at->second;
  for (auto next = above_.find(leader); next != above_.end(); next = above_.find(leader)) {
    leader = next->second;
  }
  at->second = leader;  // shortens the next search for the visitor's leader
  return leader;
}

void Companions::unite(std::uint64_t a, std::uint64_t b) {
  const auto leader = leader_of(a);
  const auto other = leader_of(b);
  if (leader == other) return;
  above_[other] = leader;
  if (kept_.erase(other) > 0) kept_.insert(leader);
}

void Companions::join(VisitId visit, std::uint64_t visitor) {
  const auto [at, is_new] = of_visit_.try_emplace(visit, visitor);
  if (!is_new) unite(at->second, visitor);
}

void Companions::keep(std::uint64_t visitor) { kept_.insert(leader_of(visitor)); }

void SealJob::run(Connection& connection, PartSink& sink) {
  const auto all = find_companions(connection, sink);
  if (all < std::max<std::int64_t>(limits_.fewest, 1)) return;
  if (forgets()) return find_leaving(connection, sink);
  // The pieces, groups of visitors that each become a part, differ in size. So a part is meant to
  // be filled to four fifths.
  const auto room = std::uint64_t{limits_.most} * 4 / 5 + 1;
  const auto pieces = static_cast<std::uint64_t>(all) / room + 1;
  const auto at_once = std::max<std::uint64_t>(kEventsAtOnce / room, 1);
  for (std::uint64_t first = 0; first < pieces; first += at_once) {
    make_parts(connection, sink, {first, std::min(first + at_once, pieces), pieces});
  }
}

/// Groups the visitors who have a visit in common, and finds the visitors whose rows must stay.
/// Returns the number of all events on the days to seal.
std::int64_t SealJob::find_companions(Connection& connection, const PartSink& sink) {
  const Snapshot snapshot(connection);
  auto budget = sink.budget();
  std::int64_t all = 0;
  VisitId first = INT64_MAX;
  VisitId last = 0;
  const auto range = days_.range();
  each_member(connection, days_.site, range, last_, [&](std::uint64_t, VisitId visit) {
    if (++all % kBetweenChecks == 0) budget.check_time();
    if (visit != 0) first = std::min(first, visit);
    last = std::max(last, visit);
  });
  auto wide = wide_visits(connection, days_, first, last);
  if (wide.empty()) return all;
  for (const auto& [id, visit] : wide) {
    if (visit.is_named) named_.insert(id);
  }
  // A visit that was active before the days to seal may also have engagements before them.
  TimeRange before{range.from, range.from};
  for (const auto& [id, visit] : wide) {
    if (!visit.is_outside) before.from = std::min(before.from, visit.active_from);
  }
  std::int64_t looked = 0;
  each_member(connection, days_.site, before, INT64_MAX, [&](std::uint64_t, VisitId visit) {
    if (++looked % kBetweenChecks == 0) budget.check_time();
    const auto found = wide.find(visit);
    if (found != wide.end()) found->second.is_outside = true;
  });
  std::unordered_set<std::uint64_t> visitors;
  each_member(connection, days_.site, range, last_, [&](std::uint64_t visitor, VisitId visit) {
    const auto found = wide.find(visit);
    if (found == wide.end()) return;
    companions_.join(visit, visitor);
    // A part stores all events of a visit under the visitor of the visit's first event.
    companions_.join(visit, found->second.visitor);
    if (found->second.is_outside) companions_.keep(visitor);
    visitors.insert(visitor);
  });
  for (const auto visitor : visitors) {
    if (companions_.is_kept(visitor)) kept_.push_back(visitor);
  }
  return all;
}

void SealJob::find_leaving(Connection& connection, const PartSink& sink) {
  auto budget = sink.budget();
  // The snapshot of read_leaving() ends before the witness asks the cluster, because a long
  // snapshot would keep removed data in the write-ahead log.
  const auto leaving = read_leaving(connection, budget);
  if (leaving.events.empty()) return;
  const auto agreed = limits_.witness(leaving, budget);
  if (!agreed) throw JobRefused(agreed.error().reason());
}

store::LeavingRows SealJob::read_leaving(Connection& connection, query::Budget& budget) {
  static const auto kLeaving =
      std::string(
          "SELECT e.id, e.visitor, coalesce(m.winner, e.visit, 0), e.time, coalesce(e.import, 0)"
          " FROM events e LEFT JOIN visit_merges m ON m.loser = e.visit") +
      kWhereInSpan;
  const Snapshot snapshot(connection);
  const auto range = days_.range();
  store::LeavingRows leaving{.site = days_.site, .first_day = days_.first, .last_day = days_.last};
  Numbers visits;
  EventRows rows(connection, kLeaving, days_.site, {&range, 1}, last_);
  for (std::int64_t read = 0; rows.next(); ++read) {
    if (read % kBetweenChecks == 0) budget.check_time();
    const auto& row = rows.row();
    if (companions_.is_kept(static_cast<std::uint64_t>(row.int64(1)))) continue;
    ++events_;
    leaving.events.push_back(row.int64(0));
    visits.add(row.int64(2));
    forgotten_.event = std::max(forgotten_.event, row.int64(0));
    forgotten_.visit = std::max(forgotten_.visit, row.int64(2));
    forgotten_.last = std::max(forgotten_.last, std::optional(to_time(row.int64(3))));
    if (row.int64(4) != 0) imports_.insert(row.int64(4));
  }
  std::sort(leaving.events.begin(), leaving.events.end());
  Statement select(connection,
                   "SELECT pageviews + events + length, coalesce(born, (started - (started %"
                   " 86400000 + 86400000) % 86400000) / 86400000) FROM visits WHERE id = ?");
  for (const auto visit : visits.in_order()) {
    auto found = select.query(visit);
    if (!found.next()) continue;  // the visit was removed; only engagements still name it
    leaving.visits.push_back({visit, found.int64(0)});
    leaving.first_born = std::min(leaving.first_born, to_day(found.int64(1)));
    leaving.last_born = std::max(leaving.last_born, to_day(found.int64(1)));
    if (leaving.visits.size() % kBetweenChecks == 0) budget.check_time();
  }
  return leaving;
}

/// Returns the number of the piece, of `pieces` pieces in all, to which a visitor's events belong.
/// Each piece becomes a part. Nullopt if the events stay rows.
std::optional<std::uint64_t> SealJob::piece_of(std::uint64_t visitor, std::uint64_t pieces) {
  // The upper 32 bits of the id choose the piece. Any bits would do, because visitor ids are
  // hashes.
  constexpr unsigned kHalf = 32;
  const auto leader = companions_.leader_of(visitor);
  if (companions_.is_kept(leader)) return std::nullopt;
  return (leader >> kHalf) * pieces >> kHalf;
}

void SealJob::make_parts(Connection& connection, PartSink& sink, const Pieces& pieces) {
  std::vector<parts::PartBytes> made;
  {
    const Snapshot snapshot(connection);
    auto raw = read(connection, sink, pieces);
    auto expected = see(connection, sink, pieces);
    for (std::size_t i = 0; i < raw.size(); ++i) {
      if (raw[i].empty()) continue;
      events_ += static_cast<std::int64_t>(raw[i].size());
      made.push_back(make_part(std::move(raw[i]), expected[i]));
    }
  }
  for (auto& part : made) sink.put(std::move(part));
}

/// Reads the rows of the days to seal, and returns the events of each of the pieces.
std::vector<std::vector<query::RawEvent>> SealJob::read(Connection& connection,
                                                        const PartSink& sink,
                                                        const Pieces& pieces) {
  auto budget = sink.budget();
  DictionaryReader texts(connection, days_.site, budget);
  std::vector<std::vector<query::RawEvent>> all(pieces.end - pieces.first);
  RawScan scan(connection, texts, days_.site, days_.range(), last_);
  query::RawEvent event;
  for (std::int64_t read = 0; scan.next(event); ++read) {
    if (read % kBetweenChecks == 0) budget.check_time();
    const auto piece = piece_of(event.visitor, pieces.all);
    if (!piece || *piece < pieces.first || *piece >= pieces.end) continue;
    auto& events = all[*piece - pieces.first];
    if (events.size() == parts::kMaxEvents) throw JobRefused("a visitor has too many events");
    event.is_named = named_.contains(event.visit);
    events.push_back(event);
  }
  return all;
}

/// Returns, for each of the pieces, a fingerprint of the events that queries read from its rows.
std::vector<parts::Fingerprint> SealJob::see(Connection& connection, const PartSink& sink,
                                             const Pieces& pieces) {
  auto budget = sink.budget();
  DictionaryReader texts(connection, days_.site, budget);
  const auto range = days_.range();
  EventScan scan(connection, texts, days_.site, {&range, 1}, parts::PartBuilder::columns());
  query::EventBatch batch(parts::PartBuilder::columns());
  std::vector<query::RowList> rows(pieces.end - pieces.first);
  std::vector<parts::Fingerprint> seen(rows.size());
  while (scan.next(batch)) {
    budget.check_time();
    for (auto& of_piece : rows) of_piece.clear();
    for (std::uint32_t row = 0; row < batch.size(); ++row) {
      const auto visitor = static_cast<std::uint64_t>(batch[Column::kVisitor][row]);
      const auto piece = piece_of(visitor, pieces.all);
      if (!piece || *piece < pieces.first || *piece >= pieces.end) continue;
      rows[*piece - pieces.first].push_back(row);
    }
    for (std::size_t i = 0; i < rows.size(); ++i) seen[i].add(batch, rows[i]);
  }
  return seen;
}

parts::PartBytes SealJob::make_part(std::vector<query::RawEvent> events,
                                    const parts::Fingerprint& expected) {
  std::unordered_set<VisitId> visits;
  for (const auto& event : events) {
    if (event.role != VisitRole::kStay) visits.insert(event.visit);
  }
  for (auto& event : events) {
    if (!visits.contains(event.visit)) event.visit = 0;  // the engagement's visit was removed
    event.is_named = event.is_named && event.visit != 0;
  }
  auto part = make_whole_part(std::move(events));
  parts::Part read(0, part.head, [&part](std::uint32_t column) { return part.columns.at(column); });
  parts::Fingerprint seen;
  seen.add(read);
  if (!(seen == expected)) throw JobRefused("queries would see a part otherwise than its rows");
  return part;
}

}  // namespace analytics::sqlite
