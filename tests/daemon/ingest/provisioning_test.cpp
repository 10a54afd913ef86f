#include "daemon/ingest/provisioning.h"

#include <future>

#include "daemon/store/sqlite/db/schema.h"
#include "daemon/store/sqlite/registry/registry.h"
#include "tests/support/catch.h"
#include "tests/support/temp_folder.h"
#include "tests/support/writer_parts.h"

namespace analytics::test::provisioning_test {

namespace {

constexpr UnixSeconds kNow = std::chrono::sys_days(std::chrono::year(2026) / 11 / 21);

/// Gives an empty database its schema. Returns the connection.
sqlite::Connection& migrated(sqlite::Connection& connection) {
  sqlite::migrate(connection);
  return connection;
}

/// Provisioning on a new database with the real writer thread. The test may use the connection
/// while no change is under way.
struct Fixture : WriterParts {
  explicit Fixture(BatchWriterConfig config = {})
      : writer(make_writer(config, [] {})), provisioning(writer, registry, directory, log) {}

  /// Returns the error code; nullopt if the site was created.
  std::optional<ErrorCode> create(const std::string& domain) {
    auto answer = std::make_shared<std::promise<std::optional<ErrorCode>>>();
    auto arrived = answer->get_future();
    provisioning.change<store::Changed<Site>>(
        [domain](sqlite::Registry& all) { return all.sites().create_site(1, domain, "UTC", kNow); },
        [this, answer, domain](Result<store::Changed<Site>> made) {
          seen_when_answered = directory.snapshot()->site(domain) != nullptr;
          answer->set_value(made ? std::nullopt : std::optional(made.error().code));
        });
    return arrived.get();
  }

  TempFolder folder;
  sqlite::Connection connection{folder / "a.db", sqlite::Role::kWriter};
  sqlite::Registry registry{migrated(connection)};
  SiteDirectory directory;
  bool seen_when_answered = false;
  BatchWriter writer;
  Provisioning provisioning;
};

}  // namespace

TEST_CASE("provisioning: a change is visible to all before it is answered", "[ingest]") {
  Fixture fixture;
  CHECK(!fixture.create("a.example"));
  CHECK(fixture.seen_when_answered);
  CHECK(fixture.directory.snapshot()->site("a.example") != nullptr);
}

TEST_CASE("provisioning: a failed change is reported without publishing the directory again",
          "[ingest]") {
  Fixture fixture;
  CHECK(!fixture.create("a.example"));
  const auto published = fixture.directory.snapshot();
  CHECK(fixture.create("a.example") == ErrorCode::kDomainTaken);
  CHECK(fixture.directory.snapshot() == published);
  fixture.connection.execute(
      "CREATE TEMP TRIGGER refuse BEFORE INSERT ON sites"
      " BEGIN SELECT RAISE(ABORT, 'as the test wants'); END");
  CHECK(fixture.create("b.example") == ErrorCode::kInternal);
  CHECK(fixture.directory.snapshot() == published);
  fixture.connection.execute("DROP TRIGGER refuse");
  CHECK(!fixture.create("b.example"));
  CHECK(fixture.directory.snapshot() != published);
}

TEST_CASE("provisioning: a change is refused at once while the queue is full", "[ingest]") {
  Fixture fixture({.max_queued_tasks = 1});
  std::promise<void> release;
  std::promise<void> began;
  REQUIRE(fixture.writer.post([&, released = release.get_future().share()] {
    began.set_value();
    released.wait();
  }));
  began.get_future().wait();
  REQUIRE(fixture.writer.post([] {}));
  CHECK(fixture.create("a.example") == ErrorCode::kOverloaded);
  release.set_value();
}

TEST_CASE("provisioning: a daemon does not start if the directory cannot be read", "[ingest]") {
  Fixture fixture;
  fixture.connection.execute("DROP TABLE goals");
  SiteDirectory directory;
  CHECK_THROWS(Provisioning(fixture.writer, fixture.registry, directory, fixture.log));
}

}  // namespace analytics::test::provisioning_test
