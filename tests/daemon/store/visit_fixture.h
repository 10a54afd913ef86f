#pragma once

#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <thread>

#include "daemon/ingest/visitor_id.h"
#include "daemon/store/sqlite/db/change_log.h"
#include "daemon/store/sqlite/db/schema.h"
#include "daemon/store/sqlite/event_store.h"
#include "daemon/store/sqlite/journal/journal.h"
#include "daemon/store/sqlite/registry/registry.h"
#include "daemon/store/sqlite/registry/salts.h"
#include "daemon/store/sqlite/tables/cluster_removals.h"
#include "tests/support/catch.h"
#include "tests/support/temp_folder.h"

/// A real SQLite store, events for it, and the visits that they must form.
namespace analytics::test {

using std::chrono::milliseconds;

inline constexpr Days kDay = std::chrono::year(2026) / 11 / 21;
inline constexpr UnixSeconds kNow = kDay + std::chrono::hours(20);

/// An event that a test plans for a visitor.
struct PlannedEvent {
  int visitor = 0;
  UnixMillis time{};
  std::string name = "pageview";
  std::string path = "/";
  std::string source;
  bool interactive = true;
  Engagement engagement;
  std::string visit;   ///< Name that the import gives the visit.
  std::string import;  ///< Name of its import; empty if it is live.
};

/// A real SQLite store that can be closed, or abandoned as by a crash, and opened again.
class Store {
  using Lines = std::vector<std::string>;

 public:
  explicit Store(std::size_t max_open = Visits::kMaxOpen) : max_open_(max_open) {
    open();
    site = make_site("a.example");
  }
  SiteId make_site(const std::string& domain) {
    return registry_->sites().create_site(1, domain, "UTC", kNow)->value.id;
  }

  void open() {
    events_.reset();
    salts_.reset();
    registry_.reset();
    connection_.emplace(folder_ / "a.db", sqlite::Role::kWriter);
    sqlite::migrate(*connection_);
    registry_.emplace(*connection_);
    salts_.emplace(*connection_);
    visitors_.emplace(*salts_);
    events_.emplace(*connection_, limits_, max_open_);
  }
  /// Limits the rows of a slice of a removal. REQUIRES: no removal is running.
  void limit_removal_rows(std::int64_t rows) {
    limits_.removal_rows = rows;
    restart(false);
  }
  void limit_texts(std::int64_t most) {
    limits_.max_new_texts = most;
    restart(false);
  }
  void limit_parts(const store::StoreLimits& limits) {
    limits_ = limits;
    restart(false);
  }
  void restart(bool after_a_crash) {
    if (!after_a_crash) REQUIRE(events_->publish());
    open();
  }

  Event make(const PlannedEvent& planned) {
    Event event;
    event.site = site;
    event.time = planned.time;
    event.name = planned.name;
    event.hostname = "a.example";
    event.path = planned.path;
    event.source = planned.source;
    event.interactive = planned.interactive;
    event.engagement = planned.engagement;
    const auto identity = digest_of({"visitor", std::to_string(planned.visitor)});
    event.visit_keys = *visitors_->keys(identity, activity_of(event), kVisitGap, kNow);
    event.visitor = event.visit_keys.own;
    if (!planned.visit.empty()) {
      event.visit_keys = *visitors_->keys(digest_of({"visit", planned.visit}), Activity(event.time),
                                          std::chrono::hours(24), kNow);
      event.visit_keys.named = true;
    }
    return event;
  }
  /// Appends all events. If the first names an import, all belong to it, in a new range.
  std::vector<EventOutcome> append(std::span<const PlannedEvent> plan, bool bulk) {
    std::vector<Event> events;
    std::vector<const Event*> pointers;
    for (const auto& planned : plan) events.push_back(make(planned));
    for (const auto& event : events) pointers.push_back(&event);
    std::vector<EventOutcome> outcomes(events.size());
    if (const auto& import = plan.front().import; bulk || !import.empty()) {
      ImportRange range{1, import, {1}, {imported_, imported_ + 1}, {}};
      ++imported_;
      store::BulkRequest request;
      request.events = events;
      if (!import.empty()) request.range = &range;
      outcomes = events_->append_bulk(request, kNow)->outcomes;
    } else {
      REQUIRE(events_->append(pointers, outcomes, kNow, {}));
    }
    return outcomes;
  }
  EventOutcome append(const PlannedEvent& planned) {
    return append(std::span(&planned, 1), false).front();
  }
  void append(const Event& event) {
    const auto* pointer = &event;
    std::array<EventOutcome, 1> outcome;
    REQUIRE(events_->append(std::span(&pointer, 1), outcome, kNow, {}));
    REQUIRE(outcome.front() == EventOutcome::kStored);
  }
  /// Appends the event in a new range of the import.
  void append(const Event& event, const std::string& import) {
    ImportRange range{1, import, {1}, {imported_, imported_ + 1}, {}};
    ++imported_;
    std::vector<Event> events{event};
    store::BulkRequest request;
    request.events = events;
    request.range = &range;
    REQUIRE(events_->append_bulk(request, kNow));
  }
  void write() { REQUIRE(events_->publish()); }
  /// Destroys all salts, so that no visitor can be recognised again.
  void destroy_salts() {
    REQUIRE(salts_->destroy_expired(UnixSeconds::max()));
    REQUIRE(rows("SELECT count(*) FROM salts") == Lines{"0"});
    visitors_.emplace(*salts_);
  }
  /// Seals all days that may be sealed, until their rows are removed. REQUIRES: no salts.
  void seal() {
    const auto is_due = [&] {
      return rows(
                 "SELECT (SELECT count(*) FROM unsealed_days) + (SELECT count(*) FROM sealing)"
                 " + (SELECT count(*) FROM part_days)") != Lines{"0"};
    };
    while (make_some_parts() || events_->wait_for_parts() || is_due()) {
    }
  }
  /// Copies every changed day into columns.
  void make_parts() {
    const auto is_due = [&] { return rows("SELECT count(*) FROM part_days") != Lines{"0"}; };
    while (make_some_parts() || events_->wait_for_parts() || is_due()) {
    }
  }
  /// Removes an import, and the texts that no other event uses.
  void undo(const std::string& import) {
    REQUIRE(registry_->imports().delete_import(site, import));
    finish_removals();
  }
  /// Continues the running removals until they are complete.
  void finish_removals() {
    const auto is_due = [&] {
      return rows("SELECT (SELECT count(*) FROM removals) + (SELECT count(*) FROM text_sweeps)") !=
             Lines{"0"};
    };
    while (*events_->removal_slice() || make_some_parts() || events_->wait_for_parts() ||
           is_due()) {
    }
  }
  /// Removes events, until the files no longer contain them. Returns how many there were.
  std::int64_t remove(const EventSelection& what) {
    std::optional<std::int64_t> removed;
    REQUIRE(events_->remove(what, kNow, [&](Result<std::int64_t> count) { removed = *count; }));
    while (!removed) {
      while (*events_->removal_slice() || make_some_parts() || events_->wait_for_parts()) {
      }
      REQUIRE(events_->truncate_if_due());
    }
    return *removed;
  }
  /// Runs one slice of the work on columns, one second later each time. Returns false if nothing is
  /// due.
  bool make_some_parts() {
    const auto more = events_->parts_slice(parts_now_ += std::chrono::seconds(1));
    INFO((more ? std::string() : more.error().message));
    REQUIRE(more);
    return *more;
  }
  [[nodiscard]] std::filesystem::path file() const { return folder_ / "a.db"; }

  std::vector<std::string> rows(const std::string& sql) {
    sqlite::Statement statement(*connection_, sql);
    auto rows = statement.query();
    std::vector<std::string> texts;
    while (rows.next()) texts.push_back(rows.text(0));
    return texts;
  }
  /// Adds a removal as if another node of the cluster had requested it.
  void note_removal(const store::SharedRemoval& removal) {
    sqlite::ClusterRemovals(*connection_)
        .add(removal, sqlite::ChangeLog(*connection_).last_forgotten(removal.what.site));
  }
  void change(const std::string& sql) { connection_->execute(sql); }
  /// Returns one line per visit, in order.
  std::vector<std::string> visits() {
    write();
    return rows(
        "SELECT started || ' ' || ended || ' p' || pageviews || ' e' || events || ' b' || bounced "
        "||"
        " ' ' || coalesce(entry_page, '-') || ' ' || coalesce(exit_page, '-') || ' ' ||"
        " coalesce(source, '-') FROM visit_text ORDER BY 1");
  }
  sqlite::Registry& registry() { return *registry_; }
  sqlite::SqliteSalts& salts() { return *salts_; }
  sqlite::SqliteEventStore& events() { return *events_; }
  [[nodiscard]] sqlite::Journal journal() { return {*connection_, events_->changes()}; }
  SiteId site = 0;

 private:
  test::TempFolder folder_;
  const std::size_t max_open_;
  /// Time at which all days are over and rows are old enough to be sealed.
  UnixSeconds parts_now_ = kDay + std::chrono::days(40);
  store::StoreLimits limits_{.part_quiet = std::chrono::seconds(0),
                             .part_events = 1,
                             .sealed_events = 1,
                             .between_truncations = std::chrono::seconds(0)};
  std::int64_t imported_ = 0;
  std::optional<sqlite::Connection> connection_;
  std::optional<sqlite::Registry> registry_;
  std::optional<sqlite::SqliteSalts> salts_;
  std::optional<VisitorIds> visitors_;
  std::optional<sqlite::SqliteEventStore> events_;
};

/// Computes the expected visits by sorting and scanning.
inline std::vector<std::string> expected_visits(std::vector<PlannedEvent> plan) {
  std::sort(plan.begin(), plan.end(), [](const PlannedEvent& a, const PlannedEvent& b) {
    return std::tie(a.visitor, a.time) < std::tie(b.visitor, b.time);
  });
  std::vector<std::string> lines;
  const auto text = [](UnixMillis time) {
    return format_rfc3339(std::chrono::floor<std::chrono::seconds>(time));
  };
  for (auto at = plan.begin(); at != plan.end();) {
    auto end = at + 1;
    while (end != plan.end() && end->visitor == at->visitor &&
           end->time <= (end - 1)->time + kVisitGap)
      ++end;
    int pages = 0;
    bool interactive = false;
    std::string entry = "-", exit = "-";
    for (auto one = at; one != end; ++one) {
      interactive = interactive || (one->name != "pageview" && one->interactive);
      if (one->name != "pageview") continue;
      if (++pages == 1) entry = one->path;
      exit = one->path;
    }
    lines.push_back(text(at->time) + " " + text((end - 1)->time) + " p" + std::to_string(pages) +
                    " e" + std::to_string(end - at) + " b" +
                    std::to_string(pages < 2 && !interactive ? 1 : 0) + " " + entry + " " + exit +
                    " " + (at->source.empty() ? "-" : at->source));
    at = end;
  }
  std::sort(lines.begin(), lines.end());
  return lines;
}

/// Returns the source of each event's visit, by visitor and time, found by sorting. `source_of`
/// returns an event's own source.
template <typename Planned, typename SourceOf>
std::map<std::pair<int, UnixMillis>, std::string> visit_sources(std::vector<Planned> events,
                                                                const SourceOf& source_of) {
  const auto key = [](const Planned& event) { return std::pair(event.visitor, event.time); };
  std::stable_sort(events.begin(), events.end(),
                   [&](const auto& a, const auto& b) { return key(a) < key(b); });
  std::map<std::pair<int, UnixMillis>, std::string> sources;
  std::string source;
  for (std::size_t i = 0; i < events.size(); ++i) {
    const bool continues = i > 0 && events[i].visitor == events[i - 1].visitor &&
                           events[i].time <= events[i - 1].time + kVisitGap;
    if (!continues) source = source_of(events[i]);
    sources[key(events[i])] = source;
  }
  return sources;
}

/// Returns events of a few visitors over two days, many around midnight, no two at the same time.
inline std::vector<PlannedEvent> random_events(std::mt19937& random, int count) {
  std::vector<PlannedEvent> plan;
  for (int i = 0; i < count; ++i) {
    PlannedEvent planned;
    planned.visitor = static_cast<int>(random() % 4);
    const auto span = random() % 2 == 0 ? 48 * 3'600'000 : 4 * 3'600'000;
    planned.time = kDay - milliseconds(span / 2) +
                   milliseconds(random() % static_cast<unsigned>(span)) / 100 * 100 +
                   milliseconds(i);
    if (random() % 4 == 0) planned.name = "Signup";
    planned.path = "/" + std::to_string(random() % 5);
    if (random() % 3 == 0) planned.source = "s" + std::to_string(random() % 3);
    planned.interactive = random() % 2 == 0;
    plan.push_back(planned);
  }
  return plan;
}

inline PlannedEvent page(int visitor, UnixMillis time, const std::string& path) {
  PlannedEvent planned;
  planned.visitor = visitor;
  planned.time = time;
  planned.path = path;
  return planned;
}

}  // namespace analytics::test
