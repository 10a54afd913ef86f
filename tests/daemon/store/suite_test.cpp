// What an open store promises to the daemon.

#include "daemon/ingest/visitor_id.h"
#include "daemon/store/sqlite/backend.h"
#include "tests/support/catch.h"
#include "tests/support/temp_folder.h"

namespace analytics::test::suite_test {

namespace {

constexpr Days kToday = std::chrono::year(2026) / 11 / 21;
constexpr UnixSeconds kNow = kToday + std::chrono::hours(12);
constexpr std::int64_t kRangeLength = 100;

/// An open store with a site.
struct Store {
  Store() { open(); }

  void open() {
    backend.reset();
    backend = sqlite::open_backend(folder / "store", {});
    if (site == 0) site = make_site("a.example");
  }
  sqlite::Sites& sites() const { return backend->registry().sites(); }
  store::EventStore& events() const { return backend->events(); }
  SiteId make_site(const std::string& domain) const {
    return sites().create_site(1, domain, "UTC", kNow).value().value.id;
  }
  /// Runs all housekeeping until nothing is due.
  void keep_house(UnixSeconds now = kNow) const {
    for (const auto& task : backend->housekeeping()) {
      while (task.slice(now).value() == store::Left::kMore) {
      }
    }
  }

  /// Returns a pageview of a visitor at a time.
  Event pageview(std::uint64_t visitor, UnixMillis time, const std::string& path) const {
    Event event;
    event.site = site;
    event.time = time;
    event.name = "pageview";
    event.hostname = "a.example";
    event.path = path;
    event.visitor = visitor;
    event.visit_keys.own = visitor;
    return event;
  }
  Event pageview(const std::string& path) const { return pageview(1, kNow, path); }
  EventOutcome append(const Event& event, UnixSeconds now = kNow) const {
    const Event* pointer = &event;
    EventOutcome outcome{};
    REQUIRE(events().append({&pointer, 1}, {&outcome, 1}, now, {}));
    return outcome;
  }
  /// Loads the events as the range that begins at byte `from` of the import's only source file.
  Result<store::BulkResult> load(const std::string& import, std::int64_t from, Digest content,
                                 std::vector<Event> loaded) const {
    ImportRange range;
    range.account = 1;
    range.name = import;
    range.source = {1};
    range.bytes = {from, from + kRangeLength};
    range.content = content;
    store::BulkRequest request;
    request.events = loaded;
    request.range = &range;
    return events().append_bulk(request, kNow);
  }

  Sums totals(SiteId of) const {
    REQUIRE(events().publish());
    const auto reader = backend->open_reader();
    Aggregation aggregation;
    aggregation.selection.site = of;
    aggregation.selection.range = {kToday, kToday + std::chrono::days(1)};
    aggregation.groupings.push_back({.visits = true});
    Sums sums;
    REQUIRE(reader.stats->run({&aggregation, 1}, [&](const auto& found) {
      sums = found.front().groups.front()->sums(0);
    }));
    return sums;
  }
  std::vector<std::string> paths(SiteId of) const {
    const auto reader = backend->open_reader();
    std::vector<std::string> paths;
    EventSelection selection;
    selection.site = of;
    const auto reading = reader.events->begin(selection).value();
    for (bool last = false; !last;) {
      const auto page = reader.events->read(*reading).value();
      for (const auto& event : page.events) paths.push_back(event.path);
      last = page.last;
    }
    return paths;
  }

  TempFolder folder;
  std::unique_ptr<sqlite::Backend> backend;
  SiteId site = 0;
};

using Paths = std::vector<std::string>;

}  // namespace

TEST_CASE("store: stored events are there after closing and reopening", "[store]") {
  Store store;
  CHECK(store.append(store.pageview("/1")) == EventOutcome::kStored);
  CHECK(store.append(store.pageview("/2")) == EventOutcome::kStored);
  store.open();
  CHECK(store.paths(store.site) == Paths{"/1", "/2"});
  CHECK(store.backend->registry().directory().value().sites.size() == 1);
}

TEST_CASE("store: a batch is stored as a whole, each event with its own outcome", "[store]") {
  Store store;
  const auto good = store.pageview("/1");
  auto foreign = store.pageview("/2");
  foreign.site = store.site + 1'000;
  auto lonely = store.pageview("/3");
  lonely.name = "engagement";
  lonely.visitor = lonely.visit_keys.own = 7;
  const auto unwanted = store.pageview("/4");
  const std::array<const Event*, 4> events{&good, &foreign, &lonely, &unwanted};
  std::array<EventOutcome, 4> outcomes{};
  const auto admit = [](const Event& event) { return event.path != "/4"; };
  REQUIRE(store.events().append(events, outcomes, kNow, admit));
  CHECK(outcomes[0] == EventOutcome::kStored);
  CHECK(outcomes[1] == EventOutcome::kUnknownSite);
  CHECK(outcomes[2] == EventOutcome::kNoVisit);
  CHECK(outcomes[3] == EventOutcome::kThrottled);
  CHECK(store.paths(store.site) == Paths{"/1"});
}

TEST_CASE("store: an idempotency key counts once until it expires", "[store]") {
  Store store;
  auto event = store.pageview("/");
  event.idempotency = IdempotencyKey{digest_of({"k"}), kNow + std::chrono::hours(1)};
  CHECK(store.append(event) == EventOutcome::kStored);
  CHECK(store.append(event) == EventOutcome::kDuplicate);
  event.idempotency->expires_at = kNow + std::chrono::hours(3);
  CHECK(store.append(event, kNow + std::chrono::hours(2)) == EventOutcome::kStored);
}

TEST_CASE("store: judging an event stores nothing and uses up no key", "[store]") {
  Store store;
  auto event = store.pageview("/");
  event.idempotency = IdempotencyKey{digest_of({"k"}), kNow + std::chrono::hours(1)};
  CHECK(store.events().judge(event, kNow, {}).value() == EventOutcome::kStored);
  CHECK(store.append(event) == EventOutcome::kStored);
  CHECK(store.events().judge(event, kNow, {}).value() == EventOutcome::kDuplicate);
  CHECK(store.paths(store.site) == Paths{"/"});
}

TEST_CASE("store: published events form visits and count for their own site", "[store]") {
  Store store;
  const auto other = store.make_site("b.example");
  store.append(store.pageview(1, kNow, "/1"));
  store.append(store.pageview(1, kNow + std::chrono::minutes(10), "/2"));
  store.append(store.pageview(1, kNow + std::chrono::minutes(41), "/3"));
  store.append(store.pageview(2, kNow, "/1"));
  auto elsewhere = store.pageview(3, kNow, "/1");  // visitors of another site count there only
  elsewhere.site = other;
  store.append(elsewhere);
  const auto totals = store.totals(store.site);
  CHECK(totals.visitors == 2);
  CHECK(totals.pageviews == 4);
  CHECK(totals.visits == 3);
  CHECK(totals.facts[VisitFact::kBounce] == 2);
  CHECK(totals.facts[VisitFact::kSeconds] == 600);
  CHECK(store.totals(other).visits == 1);
}

TEST_CASE("store: a range is stored once, and other bytes in its place are refused", "[store]") {
  Store store;
  CHECK_FALSE(store.load("i", 0, {1}, {store.pageview("/1")}).value().was_sent);
  const auto again = store.load("i", 0, {1}, {store.pageview("/1")}).value();
  CHECK(again.is_repeat);
  CHECK(again.outcomes.front() == EventOutcome::kDuplicate);
  const auto under_other_name = store.load("j", 0, {1}, {store.pageview("/1")}).value();
  CHECK(under_other_name.range_known);
  CHECK_FALSE(under_other_name.is_repeat);
  CHECK(store.load("i", kRangeLength / 2, {2}, {store.pageview("/2")}).error().code ==
        ErrorCode::kRangeOverlap);
  CHECK(store.load("i", kRangeLength, {2}, {store.pageview("/2")}));
  CHECK(store.paths(store.site) == Paths{"/1", "/2"});
  const auto import = store.backend->open_reader().registry->import(store.site, "i", {}).value();
  CHECK(import.events == 2);
  CHECK(import.sources.front().ranges.size() == 1);  // the two ranges are joined
}

TEST_CASE("store: a deleted import is removed as a whole and can be loaded again", "[store]") {
  Store store;
  store.append(store.pageview("/live"));
  REQUIRE(store.load("i", 0, {1}, {store.pageview("/1"), store.pageview("/2")}));
  REQUIRE(store.backend->registry().imports().delete_import(store.site, "i"));
  store.keep_house();
  CHECK(store.paths(store.site) == Paths{"/live"});
  CHECK(store.totals(store.site).pageviews == 1);
  CHECK(store.backend->open_reader().registry->list_imports(store.site, {}).value().items.empty());
  CHECK_FALSE(store.load("i", 0, {1}, {store.pageview("/1")}).value().was_sent);
  CHECK(store.backend->registry().imports().delete_import(store.site, "k").error().code ==
        ErrorCode::kImportNotFound);
}

TEST_CASE("store: a bulk request's key repeats the first answer for the same body", "[store]") {
  Store store;
  std::vector<Event> events{store.pageview("/1")};
  BatchKey key{digest_of({"k"}), {1}, kNow + std::chrono::hours(1)};
  store::BulkRequest request;
  request.events = events;
  request.key = &key;
  request.answer = [](const store::BulkResult&) { return std::string("first"); };
  CHECK_FALSE(store.events().append_bulk(request, kNow).value().first_answer);
  CHECK(store.events().append_bulk(request, kNow).value().first_answer == "first");
  key.content = {2};
  CHECK(store.events().append_bulk(request, kNow).error().code == ErrorCode::kIdempotencyMismatch);
  CHECK(store.paths(store.site) == Paths{"/1"});
}

TEST_CASE("store: a deleted site accepts no events, and its own are removed", "[store]") {
  Store store;
  const auto other = store.make_site("b.example");
  for (int i = 0; i < 100; ++i) store.append(store.pageview("/" + std::to_string(i)));
  REQUIRE(store.load("i", 0, {1}, {store.pageview("/loaded")}));
  auto kept = store.pageview("/kept");
  kept.site = other;
  store.append(kept);
  REQUIRE(store.sites().delete_site(store.site));
  CHECK(store.append(store.pageview("/late")) == EventOutcome::kUnknownSite);
  CHECK(store.load("i", kRangeLength, {2}, {store.pageview("/late")}).value().outcomes.front() ==
        EventOutcome::kUnknownSite);
  store.keep_house();
  CHECK(store.paths(store.site).empty());
  CHECK(store.paths(other) == Paths{"/kept"});
  CHECK(store.make_site("a.example") > other);  // the old id is never used again
}

TEST_CASE("store: the old name of a renamed site stays reserved for a while", "[store]") {
  Store store;
  const auto keep = std::chrono::hours(72);
  REQUIRE(store.sites().update_site(store.site, {"b.example", {}}, kNow, keep));
  CHECK(store.sites().create_site(1, "a.example", "UTC", kNow).error().code ==
        ErrorCode::kDomainTaken);
  REQUIRE(store.sites().expire_aliases(kNow + keep));
  CHECK(store.sites().create_site(1, "a.example", "UTC", kNow));
}

TEST_CASE("store: a site's links and goals can be found, changed and deleted once", "[store]") {
  Store store;
  auto& sites = store.sites();
  auto& registry = store.backend->registry();
  REQUIRE(registry.take_changes());
  CHECK(!*registry.take_changes());
  const auto link = sites.ensure_link(store.site, {"team", "token"}, kNow).value();
  CHECK(link.outcome == ChangeOutcome::kCreated);
  CHECK(sites.ensure_link(store.site, {"team", "other"}, kNow).value().value.token == "token");
  LinkTermsUpdate terms;
  terms.expires_at = kNow;
  terms.period = "7d";
  const auto limited = sites.ensure_link(store.site, {"team", "", terms}, kNow).value();
  CHECK(limited.outcome == ChangeOutcome::kUpdated);
  CHECK(sites.ensure_link(store.site, {"team", "", terms}, kNow).value().outcome ==
        ChangeOutcome::kUnchanged);
  terms.expires_at = std::optional<UnixSeconds>();  // removes the expiry
  terms.period.reset();                             // keeps the period
  const auto changed = sites.ensure_link(store.site, {"team", "", terms}, kNow).value().value;
  CHECK(!changed.terms.expires_at);
  CHECK(changed.terms.period == "7d");
  const auto change = registry.take_changes().value();
  REQUIRE(change);
  CHECK(change->of.sites == std::set{store.site});
  CHECK(change->now.sites.size() == 1);
  REQUIRE(change->now.links.size() == 1);
  CHECK(change->now.links[0].terms.period == "7d");
  REQUIRE(sites.delete_link(store.site, "team"));
  CHECK(sites.delete_link(store.site, "team").error().code == ErrorCode::kLinkNotFound);
}

TEST_CASE("store: a key is listed until it is revoked, by id or prefix", "[store]") {
  Store store;
  auto& keys = store.backend->registry().keys();
  store::NewKey wanted;
  wanted.account = "acme";
  wanted.label = "CI";
  wanted.prefix = "abcdef";
  REQUIRE(keys.create_key(wanted, kNow));
  REQUIRE(keys.list_keys().value().size() == 1);
  CHECK(keys.list_keys().value().front().label == "CI");
  REQUIRE(keys.revoke_key("abcdef"));
  CHECK(keys.revoke_key("nobody").error().code == ErrorCode::kKeyNotFound);
  CHECK(store.backend->registry().directory().value().keys.empty());
}

TEST_CASE("store: visitors differ by day, and a destroyed salt does not come back", "[store]") {
  Store store;
  VisitorIds visitors(store.backend->salts());
  const auto midnight = UnixSeconds(kToday);
  const auto identity = visitor_identity("1.2.3.4", "UA", 1, "www.a.example");
  const auto other = visitor_identity("1.2.3.5", "UA", 1, "www.a.example");
  const auto today = visitors.id(identity, kToday, midnight).value();
  CHECK(today == visitors.id(identity, kToday, midnight).value());
  CHECK(today != visitors.id(other, kToday, midnight).value());
  CHECK(today != visitors.id(identity, kToday + std::chrono::days(1), midnight).value());
  CHECK(visitors.destroy_old(midnight + std::chrono::hours(47)).value());
  CHECK(today == visitors.id(identity, kToday, midnight).value());
  CHECK(visitors.destroy_old(midnight + std::chrono::hours(48)).value());
  CHECK(today != visitors.id(identity, kToday, midnight + std::chrono::hours(48)).value());
}

TEST_CASE("store: a salt made while the clock was ahead is destroyed later", "[store]") {
  Store store;
  VisitorIds visitors(store.backend->salts());
  const auto now = UnixSeconds(kToday) + std::chrono::hours(12);
  const auto identity = visitor_identity("1.2.3.4", "UA", 1, "www.a.example");
  const auto id_at = [&](UnixSeconds clock) {
    return visitors.id(identity, std::chrono::floor<std::chrono::days>(clock), clock).value();
  };
  const auto today = id_at(now);
  const auto soon = now + std::chrono::hours(24);
  const auto tomorrow = id_at(soon);
  const auto ahead = now + std::chrono::hours(48);
  const auto far_ahead = now + std::chrono::days(400);
  const auto two_days_on = id_at(ahead);
  const auto later = id_at(far_ahead);
  CHECK(visitors.destroy_old(now).value());
  CHECK(id_at(now) == today);
  CHECK(id_at(soon) == tomorrow);
  CHECK(id_at(ahead) != two_days_on);
  CHECK(id_at(far_ahead) != later);
}

TEST_CASE("store: drops are added up by hour and reason", "[store]") {
  Store store;
  const auto hour = std::chrono::floor<std::chrono::hours>(kNow);
  const store::OutcomeCount bots{store.site, hour, EventOutcome::kBot, 3};
  const store::OutcomeCount throttled{store.site, hour, EventOutcome::kThrottled, 1};
  REQUIRE(store.backend->counters().add(std::array{bots, throttled}, {}));
  REQUIRE(store.backend->counters().add(std::array{bots}, {}));
  const auto drops = store.backend->open_reader().registry->list_drops(store.site, hour).value();
  const auto count = [&](EventOutcome reason) {
    std::int64_t sum = 0;
    for (const auto& drop : drops) sum += drop.outcome == reason ? drop.count : 0;
    return sum;
  };
  CHECK(count(EventOutcome::kBot) == 6);
  CHECK(count(EventOutcome::kThrottled) == 1);
}

}  // namespace analytics::test::suite_test
