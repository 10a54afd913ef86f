#include "common/run/memory_ledger.h"

#include <memory>
#include <vector>

#include "tests/support/catch.h"

namespace analytics::test::memory_ledger_test {

namespace {

using Holder = MemoryLedger::Holder;

/// A ledger, its items in order of creation (`all`), and the indexes of items that it has dropped
/// (`dropped`).
struct Items {
  explicit Items(std::size_t limit) : ledger(limit) {}
  MemoryLedger::Item& begin(Holder holder, const std::string& owner) {
    const auto number = static_cast<int>(all.size());
    all.push_back(std::make_unique<MemoryLedger::Item>(
        ledger, holder, owner, [this, number] { dropped.push_back(number); }));
    return *all.back();
  }
  MemoryLedger ledger;
  std::vector<int> dropped;
  std::vector<std::unique_ptr<MemoryLedger::Item>> all;
};

}  // namespace

TEST_CASE("memory ledger: the oldest body is dropped when all bodies together are too large") {
  Items items(16'000);  // bodies may use 1,000 bytes
  for (int i = 0; i < 4; ++i) CHECK(items.begin(Holder::kBodies, "").set(300));
  CHECK(items.dropped == std::vector<int>{0});
  CHECK(items.ledger.bytes(Holder::kBodies) == 900);
  CHECK_FALSE(items.all[0]->set(301));    // the item is dropped already
  CHECK_FALSE(items.all[1]->set(1'000));  // the oldest body itself grows too large
  CHECK(items.dropped == std::vector<int>{0});
  CHECK(items.ledger.bytes(Holder::kBodies) == 600);
  CHECK(items.ledger.dropped(Holder::kBodies) == 2);
  items.all[3].reset();
  CHECK(items.all[2]->set(5'000));  // a single body is limited only by the ledger's limit
  items.all.clear();
  CHECK(items.ledger.bytes(Holder::kBodies) == 0);
}

TEST_CASE("memory ledger: a client that sends too much drops only its own bodies") {
  Items items(16 * 8'000);
  CHECK(items.begin(Holder::kBodies, "a").set(900));
  for (int i = 1; i <= 3; ++i) CHECK(items.begin(Holder::kBodies, "b").set(600));
  CHECK(items.dropped == std::vector<int>{1, 2});
  CHECK(items.begin(Holder::kBodies, "c").set(3'000));  // a single body may exceed the share
  for (int i = 0; i < 20; ++i) CHECK(items.begin(Holder::kBodies, "").set(100));
  CHECK(items.dropped == std::vector<int>{1, 2});
}

TEST_CASE("memory ledger: answers make room at the greediest client's expense") {
  Items items(16'000);
  CHECK(items.begin(Holder::kAnswers, "modest").set(300));
  CHECK(items.begin(Holder::kAnswers, "greedy").set(200));
  CHECK(items.begin(Holder::kAnswers, "greedy").set(400));
  CHECK(items.begin(Holder::kAnswers, "new").set(200));  // all answers have 1,100 bytes
  CHECK(items.dropped == std::vector<int>{1});
  // The owner "new" now has the most bytes.
  CHECK_FALSE(items.begin(Holder::kAnswers, "new").set(900));
  CHECK(items.dropped == std::vector<int>{1, 3});
}

TEST_CASE("memory ledger: bulk requests are refused, and never dropped") {
  MemoryLedger ledger(16'000);
  auto first = ledger.reserve_bulk(600, "");
  REQUIRE(first);
  CHECK_FALSE(ledger.reserve_bulk(401, ""));
  CHECK(ledger.reserve_bulk(400, ""));
  first.reset();
  CHECK(ledger.bytes(Holder::kBulk) == 0);
  CHECK(ledger.reserve_bulk(1'000, ""));
}

TEST_CASE("memory ledger: an owner's bulk requests leave room for others'") {
  MemoryLedger ledger(16 * 1'000);  // bulk requests may use 1,000 bytes
  const auto first = ledger.reserve_bulk(300, "a");
  const auto second = ledger.reserve_bulk(200, "a");
  REQUIRE(first);
  REQUIRE(second);
  // "a" would have 600 bytes, but only 500 were free before.
  CHECK_FALSE(ledger.reserve_bulk(100, "a"));
  const auto other = ledger.reserve_bulk(250, "b");
  CHECK(other);
  CHECK_FALSE(ledger.reserve_bulk(100, "b"));
  CHECK(ledger.reserve_bulk(250, "c"));
  CHECK(ledger.reserve_bulk(250, ""));
}

TEST_CASE("memory ledger: above the limit, the oldest item of the greediest owner is dropped") {
  Items items(10'000);
  auto bulk = items.ledger.reserve_bulk(600, "");
  CHECK(items.begin(Holder::kQueries, "account 1").set(3'000));
  CHECK(items.begin(Holder::kQueries, "account 2").set(2'000));
  CHECK(items.begin(Holder::kQueries, "account 2").set(2'000));
  CHECK(items.begin(Holder::kQueries, "account 3").set(2'500));
  CHECK(items.dropped == std::vector<int>{1});
  CHECK(items.all[1]->is_dropped());
  CHECK_FALSE(items.all[0]->set(9'000));  // the item alone exceeds the limit
  CHECK(items.dropped == std::vector<int>{1});
  CHECK(items.ledger.bytes(Holder::kQueries) == 4'500);
  CHECK(items.ledger.bytes(Holder::kBulk) == 600);
}

TEST_CASE("memory ledger: caches are never dropped, and leave less room for others") {
  Items items(10'000);
  CHECK(items.begin(Holder::kCaches, "").set(6'000));
  CHECK(items.begin(Holder::kQueries, "account 1").set(3'000));
  CHECK(items.begin(Holder::kQueries, "account 1").set(3'000));
  CHECK(items.dropped == std::vector<int>{1});
  CHECK(items.all[0]->set(20'000));
  CHECK(items.ledger.bytes(Holder::kCaches) == 20'000);
}

}  // namespace analytics::test::memory_ledger_test
