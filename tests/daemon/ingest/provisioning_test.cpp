#include "daemon/ingest/provisioning.h"

#include <future>

#include "tests/support/catch.h"
#include "tests/support/fake_registry.h"
#include "tests/support/writer_parts.h"

namespace analytics::test::provisioning_test {

namespace {

constexpr UnixSeconds kNow = std::chrono::sys_days(std::chrono::year(2026) / 11 / 21);

/// Provisioning on an in-memory registry with the real writer thread.
struct Fixture : WriterParts {
  explicit Fixture(BatchWriterConfig config = {})
      : writer(make_writer(config, [] {})), provisioning(writer, registry, directory, log) {}

  /// Returns the error code; nullopt if the site was created.
  std::optional<ErrorCode> create(const std::string& domain) {
    auto answer = std::make_shared<std::promise<std::optional<ErrorCode>>>();
    auto arrived = answer->get_future();
    provisioning.change<store::Changed<Site>>(
        [domain](store::Registry& all) { return all.sites().create_site(1, domain, "UTC", kNow); },
        [this, answer, domain](Result<store::Changed<Site>> made) {
          seen_when_answered = directory.snapshot()->site(domain) != nullptr;
          answer->set_value(made ? std::nullopt : std::optional(made.error().code));
        });
    return arrived.get();
  }

  FakeRegistry registry;
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

TEST_CASE("provisioning: a failed change is reported without reading the directory again",
          "[ingest]") {
  Fixture fixture;
  CHECK(!fixture.create("a.example"));
  const auto readings = fixture.registry.readings();
  CHECK(fixture.create("a.example") == ErrorCode::kDomainTaken);
  CHECK(fixture.registry.readings() == readings);
  fixture.registry.fail_with(ErrorCode::kOverloaded);
  CHECK(fixture.create("b.example") == ErrorCode::kOverloaded);
  fixture.registry.fail_with(std::nullopt);
  CHECK(!fixture.create("b.example"));
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
  fixture.registry.fail_with(ErrorCode::kInternal);
  SiteDirectory directory;
  CHECK_THROWS(Provisioning(fixture.writer, fixture.registry, directory, fixture.log));
}

}  // namespace analytics::test::provisioning_test
