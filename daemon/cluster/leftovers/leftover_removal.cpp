#include "daemon/cluster/leftovers/leftover_removal.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <unordered_set>
#include <utility>

#include "daemon/cluster/reading/conditions.h"
#include "daemon/cluster/sql.h"
#include "daemon/cluster/tables.h"
#include "daemon/model/event.h"

namespace analytics::cluster {
namespace {

using std::chrono::days;
using store::kFirstVisitText;
using store::kJournalTexts;
using Type = NativeReader::Type;

constexpr std::size_t kEventsAtOnce = 100'000;
constexpr std::uint64_t kMaxShares = 1'048'576;
// Maximum number of ids per statement, to stay below 256 KiB.
constexpr std::ptrdiff_t kIdsOfStatement = 10'000;
// Visits per statement. The statement also names visits that were merged into these.
constexpr std::size_t kVisitsOfStatement = 2'000;
constexpr std::size_t kVisitTexts = kJournalTexts.size() - kFirstVisitText;

/// Indexes of the columns that read_events() selects. The first is the last column of
/// VisitMoves::event_columns().
enum AskedOfEvent : std::size_t {
  kIdOfEvent = 2,
  kTimeOfEvent,
  kMillisOfEvent,
  kPassiveOfEvent,
  kVisitorOfEvent,
  kFirstTextOfEvent
};

[[noreturn]] void give_up(const Error& error) { throw ReadFailed{error}; }

VisitRole role_of(std::string_view name, bool is_passive) {
  EventData event;
  event.name = name;
  event.interactive = !is_passive;
  return visit_role(event);
}

Days to_days(std::int64_t number) { return Days(days(number)); }

/// Returns a hash of an event's visit, or of the event itself if it has no visit.
std::uint64_t share_of(const SelectedEvents::Found& event) {
  constexpr std::uint64_t kGolden = 0x9e3779b97f4a7c15;  // 2^64 over the golden ratio
  return (event.visit != 0 ? event.visit : event.id) * kGolden >> 32;
}

/// Returns the visits that the events belong to, each once, sorted by node and id.
std::vector<store::NodeVisit> visits_of(const std::vector<SelectedEvents::Found>& events) {
  std::set<std::pair<NodeNumber, std::uint64_t>> numbers;
  for (const auto& event : events) {
    if (event.visit != 0) numbers.emplace(event.node, NodeKeys::number_of(event.visit));
  }
  std::vector<store::NodeVisit> visits;
  visits.reserve(numbers.size());
  for (const auto& [node, visit] : numbers) visits.push_back({node, visit});
  return visits;
}

}  // namespace

/// A visit as computed from its remaining events.
struct LeftoverRemoval::Remade {
  Visit visit;
  std::uint64_t visitor = 0;
  std::array<std::string, kVisitTexts> texts;
  std::string entry_page, entry_hostname, exit_page, exit_hostname;

  void add(const NativeReader& block, std::size_t row, VisitRole role);
};

/// Adds an event to the visit. `row`: row of the event in `block`.
void LeftoverRemoval::Remade::add(const NativeReader& block, std::size_t row, VisitRole role) {
  const auto text = [&](std::size_t place) {
    return std::string(block.text(kFirstTextOfEvent + place, row));
  };
  const EventOrder order{UnixMillis(std::chrono::seconds(block.number(kTimeOfEvent, row)) +
                                    std::chrono::milliseconds(block.number(kMillisOfEvent, row))),
                         block.number(kIdOfEvent, row)};
  visit.add({order, Activity(order.first), role});
  if (visit.first == order) {
    visitor = static_cast<std::uint64_t>(block.number(kVisitorOfEvent, row));
    for (std::size_t i = 0; i < kVisitTexts; ++i) texts[i] = text(kFirstVisitText + i);
  }
  if (visit.entry == order) {
    entry_page = text(place_of_text("path"));
    entry_hostname = text(place_of_text("hostname"));
  }
  if (visit.exit == order) {
    exit_page = text(place_of_text("path"));
    exit_hostname = text(place_of_text("hostname"));
  }
}

std::string LeftoverRemoval::where(const EventSelection& what) const {
  return condition_of(what, marks_, 0) + " AND " + leftovers_sql(leftovers_);
}

std::vector<Days> LeftoverRemoval::days_of(const std::string& where) {
  std::vector<Days> found;
  AnswerRows rows(access_, {{"toUInt16(day)", Type::kUInt16}},
                  "FROM events WHERE " + where + " GROUP BY day ORDER BY day DESC");
  while (rows.next()) {
    for (std::size_t row = 0; row < rows.block().rows(); ++row) {
      found.push_back(to_days(rows.block().number(0, row)));
    }
  }
  return found;
}

bool LeftoverRemoval::has_any(const EventSelection& what) {
  const VisitMoves moves(access_, marks_, what.site, keys_);
  SelectedEvents events(access_, marks_, what, keys_, moves, SelectedEvents::What::kNumber,
                        where(what));
  while (events.next()) {
    if (events.count() > 0) return true;
  }
  return false;
}

bool LeftoverRemoval::remove_some(const EventSelection& what, const Plan& plan) {
  const auto selected = where(what);
  const auto older = done_from_ ? " AND day < " + sql_day(*done_from_) : std::string();
  for (const auto day : days_of(selected + older)) {
    auto found = find_some(what, selected + " AND day = " + sql_day(day));
    if (found.empty()) {
      done_from_ = day;
      continue;
    }
    if (what.source) add_day_before(what, selected + " AND day = " + sql_day(day - days(1)), found);
    if (const auto planned = plan(visits_of(found)); !planned) give_up(planned.error());
    remove(what, day, std::move(found));
    return true;
  }
  return false;
}

/// Adds to `found` the selected events of the day before that belong to the same visits. An
/// engagement may precede its visit, and the source of the engagement would be unknown once the
/// events of that visit are gone.
void LeftoverRemoval::add_day_before(const EventSelection& what, const std::string& where,
                                     Found& found) {
  std::unordered_set<VisitKey> visits;
  for (const auto& event : found) visits.insert(event.visit);
  visits.erase(0);
  const VisitMoves moves(access_, marks_, what.site, keys_);
  SelectedEvents events(access_, marks_, what, keys_, moves, SelectedEvents::What::kNumber, where);
  Found of_block;
  while (events.next()) {
    of_block.clear();
    events.find(of_block);
    std::copy_if(of_block.begin(), of_block.end(), std::back_inserter(found),
                 [&](const auto& event) { return visits.contains(event.visit); });
  }
}

/// Returns selected events, not many more than kEventsAtOnce. Returns all selected events of a
/// visit, or none.
LeftoverRemoval::Found LeftoverRemoval::find_some(const EventSelection& what,
                                                  const std::string& where) {
  const VisitMoves moves(access_, marks_, what.site, keys_);
  SelectedEvents events(access_, marks_, what, keys_, moves, SelectedEvents::What::kNumber, where);
  Found found;
  Found of_block;
  // If there are too many events, the visits are divided into this many shares by their hash, and
  // only events from the share of the first event are kept.
  std::uint64_t shares = 1;
  const auto is_in = [&](const SelectedEvents::Found& event) {
    return share_of(event) % shares == share_of(found.front()) % shares;
  };
  while (events.next()) {
    of_block.clear();
    events.find(of_block);
    for (const auto& event : of_block) {
      if (found.empty() || is_in(event)) found.push_back(event);
    }
    while (found.size() > kEventsAtOnce && shares < kMaxShares) {
      shares *= 2;
      // Keeps the first event in its place, because is_in() compares with it.
      found.erase(std::remove_if(found.begin() + 1, found.end(),
                                 [&](const auto& event) { return !is_in(event); }),
                  found.end());
    }
  }
  return found;
}

void LeftoverRemoval::remove(const EventSelection& what, Days day, Found found) {
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
    return std::pair(a.visit, b.id) < std::pair(b.visit, a.id);
  });
  const auto of_days = "site = " + std::to_string(what.site) +
                       " AND day >= " + sql_day(day - days(1)) + " AND day <= " + sql_day(day);
  for (auto first = found.begin(); first != found.end();) {
    const auto most = std::min<std::ptrdiff_t>(kIdsOfStatement, found.end() - first);
    auto end = first + most;
    if (end != found.end()) {  // keeps the events of a visit in one statement
      while (end != first && (end - 1)->visit == first[most].visit) --end;
      if (end == first) end = first + most;
    }
    NumbersByNode ids("id");
    for (auto at = first; at != end; ++at) ids.add(at->node, at->id);
    const auto asked =
        server_.ask("ALTER TABLE events DELETE WHERE " + of_days + " AND (" + ids.sql() + ")");
    if (!asked) give_up(asked.error());
    first = end;
  }
  std::set<NodeNumber> nodes;
  for (const auto& event : found) nodes.insert(event.node);
  wait_for(nodes);
}

/// Waits until ClickHouse has carried out all removals of these nodes' rows, including removals
/// that an earlier process began.
void LeftoverRemoval::wait_for(const std::set<NodeNumber>& nodes) {
  for (const auto node : nodes) {
    const auto gone = wait_for_removals(server_, node, wait_);
    if (!gone) give_up(gone.error());
  }
}

void LeftoverRemoval::rebuild_visits(SiteId site, std::span<const store::NodeVisit> visits) {
  if (visits.empty()) return;
  std::set<NodeNumber> nodes;
  for (const auto& visit : visits) nodes.insert(visit.node);
  wait_for(nodes);
  const VisitMoves moves(access_, marks_, site, keys_);
  for (; !visits.empty(); visits = visits.subspan(std::min(kVisitsOfStatement, visits.size()))) {
    remake_some(site, visits.first(std::min(kVisitsOfStatement, visits.size())), moves);
  }
}

LeftoverRemoval::KnownVisits LeftoverRemoval::read_known(SiteId site,
                                                         std::span<const store::NodeVisit> visits) {
  NumbersByNode numbers("visit");
  for (const auto& visit : visits) numbers.add(visit.node, visit.visit);
  AnswerRows rows(access_,
                  {{"node", Type::kUInt32},
                   {"visit", Type::kUInt64},
                   {"toUInt16(born)", Type::kUInt16},
                   {"max(version)", Type::kUInt64},
                   {"toInt64(intDiv(min(if(gone = 0, started, toInt64(4294967295000))), 86400000))",
                    Type::kInt64},
                   {"toInt64(intDiv(max(ended), 86400000))", Type::kInt64},
                   {"max(named)", Type::kUInt8}},
                  "FROM visits WHERE site = " + std::to_string(site) + " AND " + numbers.sql() +
                      " GROUP BY node, visit, born HAVING min(gone) = 0");
  KnownVisits known;
  while (rows.next()) {
    const auto& block = rows.block();
    for (std::size_t row = 0; row < block.rows(); ++row) {
      const auto key = keys_.key(static_cast<NodeNumber>(block.number(0, row)),
                                 static_cast<std::uint64_t>(block.number(1, row)));
      known[key] = {.born = to_days(block.number(2, row)),
                    .version = static_cast<std::uint64_t>(block.number(3, row)),
                    .first = to_days(block.number(4, row)),
                    .last = to_days(block.number(5, row)),
                    .is_named = block.number(6, row) != 0};
    }
  }
  return known;
}

void LeftoverRemoval::remake_some(SiteId site, std::span<const store::NodeVisit> visits,
                                  const VisitMoves& moves) {
  const auto known = read_known(site, visits);
  if (known.empty()) return;
  const auto remade = read_events(site, known, moves);
  std::map<NodeNumber, NativeBlock> blocks;
  for (const auto& [key, as_known] : known) {
    store::JournalVisit row;
    row.site = site;
    row.id = static_cast<VisitId>(NodeKeys::number_of(key));
    row.born = as_known.born;
    row.version = as_known.version + 1;
    const auto found = remade.find(key);
    row.is_gone = found == remade.end();
    if (!row.is_gone) {
      const auto& [visit, visitor, texts, entry_page, entry_hostname, exit_page, exit_hostname] =
          found->second;
      row.started = visit.started();
      row.ended = visit.ended;
      row.visitor = visitor;
      row.pageviews = visit.pageviews;
      row.events = visit.events;
      row.is_interactive = visit.interactive;
      row.is_named = as_known.is_named;
      row.entry_page = entry_page;
      row.entry_hostname = entry_hostname;
      row.exit_page = exit_page;
      row.exit_hostname = exit_hostname;
      std::copy(texts.begin(), texts.end(), row.texts.begin());
    }
    const auto node = keys_.node_of(key);
    add_row(blocks.try_emplace(node, visit_columns()).first->second, row, node);
  }
  for (const auto& [node, block] : blocks) {
    if (const auto sent = server_.insert("visits", block); !sent) give_up(sent.error());
  }
}

/// Computes the visits in `known` from their remaining events in ClickHouse. Leaves out visits
/// without events.
std::map<VisitKey, LeftoverRemoval::Remade> LeftoverRemoval::read_events(SiteId site,
                                                                         const KnownVisits& known,
                                                                         const VisitMoves& moves) {
  auto asked = VisitMoves::event_columns();
  asked.insert(asked.end(), {{"toUInt32(time)", Type::kUInt32},
                             {"millis", Type::kUInt16},
                             {"passive", Type::kUInt8},
                             {"visitor", Type::kUInt64}});
  for (const auto text : kJournalTexts) asked.push_back({std::string(text), Type::kString});
  AnswerRows rows(access_, asked, "FROM events WHERE " + events_of_visits(site, known, moves));
  std::map<VisitKey, Remade> remade;
  std::vector<VisitKey> of_block;
  while (rows.next()) {
    const auto& block = rows.block();
    moves.find(block, of_block);
    for (std::size_t row = 0; row < block.rows(); ++row) {
      if (!known.contains(of_block[row])) continue;
      const auto name = block.text(kFirstTextOfEvent + place_of_text("name"), row);
      const auto role = role_of(name, block.number(kPassiveOfEvent, row) != 0);
      if (role != VisitRole::kStay) remade[of_block[row]].add(block, row, role);
    }
  }
  return remade;
}

/// Returns the SQL condition that selects all events of the visits in `known`, and perhaps some
/// others.
std::string LeftoverRemoval::events_of_visits(SiteId site, const KnownVisits& known,
                                              const VisitMoves& moves) {
  NumbersByNode visits("visit");
  NumbersByNode events("id");
  auto first = known.begin()->second.first;
  auto last = known.begin()->second.last;
  std::unordered_set<VisitKey> wanted;
  for (const auto& [key, visit] : known) {
    wanted.insert(key);
    visits.add(keys_.node_of(key), NodeKeys::number_of(key));
    first = std::min(first, visit.first);
    last = std::max(last, visit.last);
  }
  for (const auto visit : moves.visits_in(wanted)) {
    visits.add(keys_.node_of(visit), NodeKeys::number_of(visit));
  }
  for (const auto event : moves.events_in(wanted)) {
    events.add(keys_.node_of(event), NodeKeys::number_of(event));
  }
  return events_of(site, {UnixSeconds(first), UnixSeconds(last + days(1))}, marks_) + " AND (" +
         visits.sql() + " OR " + events.sql() + ")";
}

}  // namespace analytics::cluster
