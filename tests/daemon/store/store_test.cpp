#include "daemon/backends.h"
#include "daemon/ingest/visitor_id.h"
#include "tests/support/catch.h"
#include "tests/support/process.h"
#include "tests/support/temp_folder.h"

using namespace analytics;

namespace {

constexpr Days kToday = std::chrono::year(2026) / 11 / 21;
constexpr UnixSeconds kNow = std::chrono::sys_days(std::chrono::year(2026) / 11 / 21);

Event make_event(SiteId site, const std::string& path) {
  Event event;
  event.site = site;
  event.time = kNow;
  event.name = "pageview";
  event.hostname = "a.example";
  event.path = path;
  return event;
}

struct Store {
  test::TempFolder folder;
  std::unique_ptr<store::Backend> backend = open_backend(folder / "a.db");
  store::Sites& sites = backend->registry().sites();
  store::EventStore& events = backend->events();

  SiteId make_site(const std::string& domain) {
    return sites.create_site(1, domain, "UTC", kNow)->value.id;
  }
  /// Does all the housekeeping there is.
  void keep_house(UnixSeconds now = kNow) {
    for (const auto& task : backend->housekeeping()) {
      while (task.slice(now).value() == store::Left::kMore) {
      }
    }
  }
  EventOutcome append(const Event& event, UnixSeconds now = kNow) {
    const Event* pointer = &event;
    EventOutcome outcome{};
    REQUIRE(events.append({&pointer, 1}, {&outcome, 1}, now, {}));
    return outcome;
  }
  std::string query(const std::string& sql) {
    return test::run({"sqlite3", (folder / "a.db").string(), sql}).out;
  }
};

}  // namespace

TEST_CASE("store: a key is spent once until it expires", "[store]") {
  Store store;
  auto event = make_event(store.make_site("a.example"), "/");
  event.idempotency = IdempotencyKey{digest_of({"k"}), kNow + std::chrono::hours(1)};
  CHECK(store.append(event) == EventOutcome::kStored);
  CHECK(store.append(event) == EventOutcome::kDuplicate);
  event.idempotency->expires_at = kNow + std::chrono::hours(3);
  CHECK(store.append(event, kNow + std::chrono::hours(2)) == EventOutcome::kStored);
  store.keep_house(kNow + std::chrono::hours(4));
  CHECK(store.query("SELECT count(*) FROM idempotency") == "0\n");
}

TEST_CASE("store: a deleted site takes no events, and all its rows leave", "[store]") {
  Store store;
  const auto site = store.make_site("a.example");
  const auto other = store.make_site("b.example");
  for (int i = 0; i < 100; ++i) store.append(make_event(site, "/" + std::to_string(i)));
  store.append(make_event(other, "/kept"));
  REQUIRE(store.sites.delete_site(site));
  CHECK(store.append(make_event(site, "/late")) == EventOutcome::kUnknownSite);
  store.keep_house();
  CHECK(store.query("SELECT count(*) FROM events") == "1\n");
  CHECK(store.query("SELECT count(*) FROM strings WHERE site = " + std::to_string(site)) == "0\n");
  CHECK(store.query("SELECT path FROM event_text") == "/kept\n");
  CHECK(store.make_site("a.example") > other);
}

TEST_CASE("store: a rename keeps the old name for a while", "[store]") {
  Store store;
  const auto site = store.make_site("a.example");
  REQUIRE(store.sites.update_site(site, {"b.example", {}}, kNow, std::chrono::hours(72)));
  CHECK(store.sites.create_site(1, "a.example", "UTC", kNow).error().code ==
        ErrorCode::kDomainTaken);
  REQUIRE(store.sites.expire_aliases(kNow + std::chrono::hours(72)));
  CHECK(store.sites.create_site(1, "a.example", "UTC", kNow));
}

TEST_CASE("store: visitors differ by day, and a destroyed salt does not come back", "[store]") {
  Store store;
  VisitorIds visitors(store.backend->salts());
  const auto identity = visitor_identity("1.2.3.4", "UA", 1, "www.a.example");
  const auto today = *visitors.id(identity, kToday, kNow);
  CHECK(today == *visitors.id(visitor_identity("1.2.3.4", "UA", 1, "www.a.example"), kToday, kNow));
  CHECK(today != *visitors.id(visitor_identity("1.2.3.5", "UA", 1, "www.a.example"), kToday, kNow));
  CHECK(today != *visitors.id(identity, kToday + std::chrono::days(1), kNow));
  CHECK(*visitors.destroy_old(kNow + std::chrono::hours(47)));
  CHECK(today == *visitors.id(identity, kToday, kNow));
  CHECK(*visitors.destroy_old(kNow + std::chrono::hours(48)));
  CHECK(today != *visitors.id(identity, kToday, kNow + std::chrono::hours(48)));
}

TEST_CASE("store: foreign and newer files are refused", "[store]") {
  test::TempFolder folder;
  test::run({"sqlite3", (folder / "other.db").string(), "CREATE TABLE t(x)"});
  CHECK_THROWS_AS(open_backend(folder / "other.db"), store::StoreUnusable);
  open_backend(folder / "newer.db").reset();
  test::run({"sqlite3", (folder / "newer.db").string(), "PRAGMA user_version=999"});
  CHECK_THROWS_AS(open_backend(folder / "newer.db"), store::StoreUnusable);
}

TEST_CASE("store: a file of schema 9 gets today's names of browsers and systems", "[store]") {
  test::TempFolder folder;
  const auto file = (folder / "old.db").string();
  open_backend(file).reset();
  test::run(
      {"sqlite3", file,
       "ALTER TABLE goals DROP COLUMN display_name; DROP TABLE text_sweeps;"
       "ALTER TABLE import_ranges DROP COLUMN outcomes; ALTER TABLE api_keys DROP COLUMN "
       "rate_limit;"
       "INSERT INTO goals(site, type, value, created_at) VALUES(1, 0, 'Signup', 0);"
       "INSERT INTO clients(site, id, device, browser, os) VALUES"
       "(1, 1, 'Mobile', 'Chrome Mobile', 'Android'), (1, 2, 'Desktop', 'Safari', 'Mac OS X'),"
       "(1, 3, 'Mobile', 'Chrome Mobile WebView', 'Android'), (1, 4, 'Desktop', NULL, NULL);"
       "PRAGMA user_version=9"});
  open_backend(file).reset();
  CHECK(test::run({"sqlite3", file, "SELECT browser, os FROM clients ORDER BY id"}).out ==
        "Chrome|Android\nSafari|Mac\nMobile App|Android\n|\n");
  CHECK(test::run({"sqlite3", file, "SELECT value, display_name FROM goals"}).out == "Signup|\n");
}

TEST_CASE("store: the file has the channels' names as the program has them", "[store]") {
  Store store;
  for (int id = 1; id <= static_cast<int>(Channel::kReferral); ++id) {
    CHECK(store.query("SELECT name FROM channels WHERE id = " + std::to_string(id)) ==
          std::string(channel_name(static_cast<Channel>(id))) + "\n");
  }
}
