#include <algorithm>
#include <random>

#include "daemon/ingest/visitor_id.h"
#include "daemon/store/sqlite/event_store.h"
#include "daemon/store/sqlite/registry.h"
#include "daemon/store/sqlite/schema.h"
#include "tests/support/catch.h"
#include "tests/support/temp_folder.h"

using namespace analytics;
using std::chrono::milliseconds;

namespace {

constexpr Days kDay = std::chrono::year(2026) / 11 / 21;
constexpr UnixSeconds kNow = kDay + std::chrono::hours(20);

/// What a visitor did at one moment.
struct Deed {
  int visitor = 0;
  UnixMillis time{};
  std::string name = "pageview";
  std::string path = "/";
  std::string source;
  bool interactive = true;
  std::string visit;  ///< The name an import gives it.
};

/// The real store, which can be closed and opened again with or without a last word.
class Store {
 public:
  explicit Store(std::size_t max_open = sqlite::Visits::kMaxOpen) : max_open_(max_open) {
    open();
    site = registry_->create_site(1, "a.example", "UTC", kNow)->value.id;
  }

  void open() {
    events_.reset();
    registry_.reset();
    connection_.emplace(folder_ / "a.db", sqlite::Role::kWriter);
    sqlite::migrate(*connection_);
    registry_.emplace(*connection_);
    visitors_.emplace(*registry_);
    events_.emplace(*connection_, limits_, max_open_);
  }
  void limit_texts(std::int64_t most) {
    limits_.max_new_texts = most;
    restart(false);
  }
  void restart(bool after_a_crash) {
    if (!after_a_crash) REQUIRE(events_->write_visits());
    open();
  }

  Event make(const Deed& deed) {
    Event event;
    event.site = site;
    event.time = deed.time;
    event.name = deed.name;
    event.hostname = "a.example";
    event.path = deed.path;
    event.source = deed.source;
    event.interactive = deed.interactive;
    const auto identity = digest_of({"visitor", std::to_string(deed.visitor)});
    event.visit_keys = *visitors_->keys(identity, event.time, kVisitGap, kNow);
    event.visitor = event.visit_keys.own;
    if (!deed.visit.empty()) {
      event.visit_keys = *visitors_->keys(digest_of({"visit", deed.visit}), event.time,
                                          std::chrono::hours(24), kNow);
      event.visit_keys.named = true;
    }
    return event;
  }
  std::vector<EventOutcome> append(std::span<const Deed> deeds, bool bulk) {
    std::vector<Event> events;
    std::vector<const Event*> pointers;
    for (const auto& deed : deeds) events.push_back(make(deed));
    for (const auto& event : events) pointers.push_back(&event);
    std::vector<EventOutcome> outcomes(events.size());
    if (bulk) {
      store::BulkRequest request;
      request.events = events;
      outcomes = events_->append_bulk(request, kNow)->outcomes;
    } else {
      REQUIRE(events_->append(pointers, outcomes, kNow, {}));
    }
    return outcomes;
  }
  EventOutcome append(const Deed& deed) { return append(std::span(&deed, 1), false).front(); }
  void write() { REQUIRE(events_->write_visits()); }

  std::vector<std::string> rows(const std::string& sql) {
    sqlite::Statement statement(*connection_, sql);
    auto rows = statement.query();
    std::vector<std::string> texts;
    while (rows.next()) texts.push_back(rows.text(0));
    return texts;
  }
  /// A line a visit, in order.
  std::vector<std::string> visits() {
    write();
    return rows(
        "SELECT started || ' ' || ended || ' p' || pageviews || ' e' || events || ' b' || bounced "
        "||"
        " ' ' || coalesce(entry_page, '-') || ' ' || coalesce(exit_page, '-') || ' ' ||"
        " coalesce(source, '-') FROM visit_text ORDER BY 1");
  }
  sqlite::SqliteRegistry& registry() { return *registry_; }
  sqlite::SqliteEventStore& events() { return *events_; }
  SiteId site = 0;

 private:
  test::TempFolder folder_;
  const std::size_t max_open_;
  store::StoreLimits limits_;
  std::optional<sqlite::Connection> connection_;
  std::optional<sqlite::SqliteRegistry> registry_;
  std::optional<VisitorIds> visitors_;
  std::optional<sqlite::SqliteEventStore> events_;
};

/// What the visits must be: sorted and scanned.
std::vector<std::string> expected_visits(std::vector<Deed> deeds) {
  std::sort(deeds.begin(), deeds.end(), [](const Deed& a, const Deed& b) {
    return std::tie(a.visitor, a.time) < std::tie(b.visitor, b.time);
  });
  std::vector<std::string> lines;
  const auto text = [](UnixMillis time) {
    return format_rfc3339(std::chrono::floor<std::chrono::seconds>(time));
  };
  for (auto at = deeds.begin(); at != deeds.end();) {
    auto end = at + 1;
    while (end != deeds.end() && end->visitor == at->visitor &&
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

/// Events of a few visitors over two days, many of them around midnight, no two at one moment.
std::vector<Deed> random_deeds(std::mt19937& random, int count) {
  std::vector<Deed> deeds;
  for (int i = 0; i < count; ++i) {
    Deed deed;
    deed.visitor = static_cast<int>(random() % 4);
    const auto span = random() % 2 == 0 ? 48 * 3'600'000 : 4 * 3'600'000;
    deed.time = kDay - milliseconds(span / 2) +
                milliseconds(random() % static_cast<unsigned>(span)) / 100 * 100 + milliseconds(i);
    if (random() % 4 == 0) deed.name = "Signup";
    deed.path = "/" + std::to_string(random() % 5);
    if (random() % 3 == 0) deed.source = "s" + std::to_string(random() % 3);
    deed.interactive = random() % 2 == 0;
    deeds.push_back(deed);
  }
  return deeds;
}

Deed page(int visitor, UnixMillis time, const std::string& path) {
  Deed deed;
  deed.visitor = visitor;
  deed.time = time;
  deed.path = path;
  return deed;
}

}  // namespace

TEST_CASE("visits: any order, batching and restarts give the visits of the sorted stream",
          "[visits]") {
  std::mt19937 random(4);
  for (int round = 0; round < 60; ++round) {
    INFO("round " << round);
    auto deeds = random_deeds(random, 40);
    const auto expected = expected_visits(deeds);
    if (round % 3 != 0) std::shuffle(deeds.begin(), deeds.end(), random);
    // With a handful in memory, nearly every event must find its visit through the index.
    Store store(round % 2 == 0 ? sqlite::Visits::kMaxOpen : 3);
    for (std::size_t at = 0; at < deeds.size();) {
      const auto count = std::min<std::size_t>(1 + random() % 6, deeds.size() - at);
      store.append(std::span(deeds).subspan(at, count), random() % 2 == 0);
      at += count;
      if (random() % 4 == 0) store.write();
      if (random() % 6 == 0) store.restart(random() % 2 == 0);
    }
    REQUIRE(store.visits() == expected);
    // Every event says which visit it belongs to.
    CHECK(store.rows("SELECT count(*) FROM event_text e LEFT JOIN visit_text v ON v.visit = e.visit"
                     " WHERE v.visit IS NULL") == std::vector<std::string>{"0"});
    CHECK(store.rows("SELECT count(*) FROM visit_text v WHERE events != (SELECT count(*) FROM"
                     " event_text e WHERE e.visit = v.visit)") == std::vector<std::string>{"0"});
  }
}

TEST_CASE("visits: thirty minutes join, a moment more parts", "[visits]") {
  Store store;
  const UnixMillis noon = kDay + std::chrono::hours(12);
  store.append(page(1, noon, "/a"));
  store.append(page(1, noon + kVisitGap, "/b"));
  store.append(page(1, noon + 2 * kVisitGap + milliseconds(1), "/c"));
  CHECK(store.visits() ==
        std::vector<std::string>{"2026-11-21T12:00:00Z 2026-11-21T12:30:00Z p2 e2 b0 /a /b -",
                                 "2026-11-21T13:00:00Z 2026-11-21T13:00:00Z p1 e1 b1 /c /c -"});
}

TEST_CASE("visits: what came first in one moment is the entry, what came last the exit",
          "[visits]") {
  Store store;
  for (const auto* path : {"/a", "/c", "/b"}) store.append(page(1, kNow, path));
  CHECK(store.rows("SELECT entry_page || exit_page FROM visit_text").empty());  // not written yet
  store.write();
  CHECK(store.rows("SELECT entry_page || exit_page FROM visit_text") ==
        std::vector<std::string>{"/a/b"});
}

TEST_CASE("visits: an engagement belongs to a visit and changes nothing of it", "[visits]") {
  Store store;
  auto stay = page(1, kNow, "/a");
  stay.name = "engagement";
  CHECK(store.append(stay) == EventOutcome::kNoVisit);
  store.append(page(1, kNow, "/a"));
  const auto before = store.visits();
  stay.time = kNow + std::chrono::minutes(29);
  CHECK(store.append(stay) == EventOutcome::kStored);
  CHECK(store.visits() == before);
  CHECK(store.append(page(1, kNow + std::chrono::minutes(40), "/b")) == EventOutcome::kStored);
  CHECK(store.visits().size() == 2);  // it did not lengthen the first
  store.restart(true);
  CHECK(store.visits().size() == 2);
  CHECK(store.rows("SELECT count(DISTINCT visit) FROM event_text WHERE name != 'pageview'") ==
        std::vector<std::string>{"1"});
}

TEST_CASE("visits: one that an import names holds its events however far apart", "[visits]") {
  for (const bool reversed : {false, true}) {
    Store store(2);
    std::vector<Deed> deeds;
    for (const int hours : {-20, -3, 1, 9, 26}) {
      auto deed =
          page(hours < 0 ? 1 : 2, kDay + std::chrono::hours(hours), "/" + std::to_string(hours));
      deed.visit = "v1";
      deeds.push_back(deed);
      deed.visit = "v2";
      if (hours == 1) deeds.push_back(deed);
    }
    deeds.push_back(page(1, kDay - std::chrono::hours(3), "/plain"));  // of no named visit
    if (reversed) std::reverse(deeds.begin(), deeds.end());
    for (const auto& deed : deeds) {
      store.append(deed);
      store.restart(true);
    }
    CHECK(store.visits() ==
          std::vector<std::string>{
              "2026-11-20T04:00:00Z 2026-11-22T02:00:00Z p5 e5 b0 /-20 /26 -",
              "2026-11-20T21:00:00Z 2026-11-20T21:00:00Z p1 e1 b1 /plain /plain -",
              "2026-11-21T01:00:00Z 2026-11-21T01:00:00Z p1 e1 b1 /1 /1 -"});
  }
}

TEST_CASE("visits: a batch that fails leaves none behind", "[visits]") {
  Store store;
  store.append(page(1, kNow, "/a"));
  std::vector<Event> events{store.make(page(1, kNow + std::chrono::minutes(1), "/b")),
                            store.make(page(2, kNow, "/c"))};
  const BatchKey key{{1}, {1}, kNow + std::chrono::hours(1)};
  store::BulkRequest request;
  request.events = events;
  request.key = &key;
  request.answer = [](const auto&) -> std::string {
    throw std::runtime_error("as the test wants");
  };
  CHECK_THROWS(store.events().append_bulk(request, kNow));  // after all of it was stored
  CHECK(store.visits() ==
        std::vector<std::string>{"2026-11-21T20:00:00Z 2026-11-21T20:00:00Z p1 e1 b1 /a /a -"});
  store.append(page(2, kNow, "/d"));
  store.append(page(1, kNow + std::chrono::minutes(2), "/e"));
  CHECK(store.visits() ==
        std::vector<std::string>{"2026-11-21T20:00:00Z 2026-11-21T20:00:00Z p1 e1 b1 /d /d -",
                                 "2026-11-21T20:00:00Z 2026-11-21T20:02:00Z p2 e2 b0 /a /e -"});
  CHECK(store.rows("SELECT count(*) FROM events") == std::vector<std::string>{"3"});
}

TEST_CASE("visits: those of a deleted site leave with it, those of dead salts are found no more",
          "[visits]") {
  Store store(2);
  for (int visitor = 0; visitor < 9; ++visitor) store.append(page(visitor, kNow, "/a"));
  store.write();
  CHECK(store.rows("SELECT count(*) > 0 FROM visit_index") == std::vector<std::string>{"1"});
  REQUIRE(*store.registry().destroy_salts(kNow + std::chrono::hours(72)));
  while (*store.events().expire_visitors_slice()) {
  }
  CHECK(store.rows("SELECT count(*) FROM visit_index") == std::vector<std::string>{"0"});
  CHECK(store.visits().size() == 9);
  store.append(page(1, kNow, "/late"));
  REQUIRE(store.registry().delete_site(store.site));
  while (*store.events().purge_slice()) {
  }
  store.write();
  CHECK(store.rows("SELECT count(*) FROM visits") == std::vector<std::string>{"0"});
  CHECK(store.rows("SELECT count(*) FROM events") == std::vector<std::string>{"0"});
}

TEST_CASE("visits: after a crash, what is in the index is still looked for", "[visits]") {
  const UnixMillis day = kDay;
  using std::chrono::hours;
  using std::chrono::minutes;
  for (const bool crash : {false, true}) {
    Store store;
    const std::vector<Deed> first = {page(1, day - minutes(10), "/a"),
                                     page(1, day + minutes(5), "/b")};
    store.append(first, true);
    store.append(page(1, day + hours(24) + minutes(5), "/d"));
    store.append(page(1, day + hours(23) + minutes(50), "/c"));
    if (crash) store.restart(true);
    store.append(page(1, day + minutes(34), "/e"));
    CHECK(store.visits() ==
          std::vector<std::string>{"2026-11-20T23:50:00Z 2026-11-21T00:34:00Z p3 e3 b0 /a /e -",
                                   "2026-11-21T23:50:00Z 2026-11-22T00:05:00Z p2 e2 b0 /c /d -"});
  }
}

TEST_CASE("visits: a named visit hides none of its visitor's others", "[visits]") {
  Store store(2);
  const UnixMillis day = kDay;
  using std::chrono::hours;
  store.append(page(1, day + hours(10), "/a"));
  for (int other = 2; other < 8; ++other) store.append(page(other, day + hours(10), "/x"));
  store.append(page(1, day + hours(15), "/b"));
  auto named = page(1, day + hours(16), "/n");
  named.visit = "n1";
  store.append(named);
  store.append(page(1, day + hours(10) + std::chrono::minutes(10), "/c"));
  CHECK(store.rows("SELECT count(*) FROM visit_text WHERE entry_page = '/c'") ==
        std::vector<std::string>{"0"});
  CHECK(store.visits().size() == 9);
}

TEST_CASE("visits: a bulk request of many leaves no more in memory than may be", "[visits]") {
  Store store(50);
  std::vector<Deed> many;
  for (int visitor = 0; visitor < 20'000; ++visitor) many.push_back(page(visitor, kNow, "/"));
  store.append(many, true);
  CHECK(store.rows("SELECT count(*) >= 19950 FROM visit_index") == std::vector<std::string>{"1"});
}

TEST_CASE("visits: bridging many from the end costs a row or two each", "[visits]") {
  Store store;
  constexpr int kVisits = 400;
  const auto at = [](int minute) { return UnixMillis(kDay) + std::chrono::minutes(minute); };
  std::vector<Deed> deeds;
  for (int i = 0; i < kVisits; ++i) deeds.push_back(page(1, at(50 * i), "/v"));
  for (int i = kVisits - 1; i > 0; --i) deeds.push_back(page(1, at(50 * i - 25), "/b"));
  store.append(deeds, true);
  CHECK(store.visits().size() == 1);
  CHECK(store.rows("SELECT count(DISTINCT visit) FROM event_text") ==
        std::vector<std::string>{"1"});
}

TEST_CASE("visits: an engagement between two belongs to the one before, in any order", "[visits]") {
  using std::chrono::minutes;
  for (const bool reversed : {false, true}) {
    Store store;
    const auto before = page(1, kNow, "/before");
    const auto after = page(1, kNow + minutes(50), "/after");
    store.append(reversed ? after : before);
    store.append(reversed ? before : after);
    auto stay = page(1, kNow + minutes(25), "/before");
    stay.name = "engagement";
    store.append(stay);
    store.write();
    CHECK(store.rows("SELECT v.entry_page FROM event_text e JOIN visit_text v ON v.visit = e.visit"
                     " WHERE e.name = 'engagement'") == std::vector<std::string>{"/before"});
  }
}

TEST_CASE("visits: too many texts of a day hide neither pageviews nor engagements", "[visits]") {
  Store store;
  store.limit_texts(3);
  for (int i = 0; i < 5; ++i) {
    auto other = page(1, kNow, "/");
    other.name = "n" + std::to_string(i);
    store.append(other);
  }
  store.append(page(2, kNow, "/x"));
  CHECK(store.rows("SELECT count(*) FROM event_text WHERE name = 'pageview'") ==
        std::vector<std::string>{"1"});
  CHECK(store.rows("SELECT count(*) > 0 FROM event_text WHERE name = '(other)'") ==
        std::vector<std::string>{"1"});
}
