#include "daemon/http/body_memory.h"

#include <memory>
#include <vector>

#include "tests/support/catch.h"

namespace analytics::test::body_memory_test {

using analytics::http::BodyMemory;

namespace {

/// Request bodies by number, and the numbers of those that were dropped.
struct Bodies {
  explicit Bodies(std::size_t limit) : memory(limit) {}
  void begin(const std::string& client) {
    const auto number = static_cast<int>(all.size());
    all.push_back(std::make_unique<BodyMemory::Share>(
        memory, client, [this, number] { given_up.push_back(number); }));
  }
  BodyMemory memory;
  std::vector<int> given_up;
  std::vector<std::unique_ptr<BodyMemory::Share>> all;
};

}  // namespace

TEST_CASE("body memory: the oldest body makes room when all are too much", "[http]") {
  Bodies bodies(1'000);
  for (int i = 0; i < 4; ++i) {
    bodies.begin("");
    CHECK(bodies.all.back()->set(300) == true);
  }
  CHECK(bodies.given_up == std::vector<int>{0});
  CHECK(bodies.memory.bytes() == 900);
  CHECK_FALSE(bodies.all[0]->set(301));    // dropped already
  CHECK_FALSE(bodies.all[1]->set(1'000));  // the oldest body itself grows too large
  CHECK(bodies.given_up == std::vector<int>{0});
  CHECK(bodies.memory.bytes() == 600);
  bodies.all[3].reset();
  CHECK(bodies.all[2]->set(5'000));  // a single body is limited only by its own limit
  bodies.all.clear();
  CHECK(bodies.memory.bytes() == 0);
}

TEST_CASE("body memory: who sends too much makes room for himself alone", "[http]") {
  Bodies bodies(8'000);
  bodies.begin("a");
  CHECK(bodies.all[0]->set(900));
  for (int i = 1; i <= 3; ++i) {
    bodies.begin("b");
    CHECK(bodies.all.back()->set(600));
  }
  CHECK(bodies.given_up == std::vector<int>{1, 2});
  bodies.begin("c");
  CHECK(bodies.all.back()->set(3'000));  // a single body may exceed its client's share
  for (int i = 0; i < 20; ++i) {
    bodies.begin("");  // without a client
    CHECK(bodies.all.back()->set(100));
  }
  CHECK(bodies.given_up == std::vector<int>{1, 2});
}

}  // namespace analytics::test::body_memory_test
