#include "daemon/ingest/import_order.h"

#include "tests/support/catch.h"

namespace analytics::test::import_order_test {

namespace {

struct Arrivals {
  std::unique_ptr<ImportOrder::Turn> arrive(ByteRange bytes, std::optional<ByteRange> after = {},
                                            const std::string& name = "nightly") {
    ImportRange range;
    range.name = name;
    range.bytes = bytes;
    return order.arrive(1, range, after);
  }
  /// Returns a callback that logs whether the batch is next.
  auto note(const std::string& name) {
    return [this, name](bool is_next) { log += name + (is_next ? "+ " : "- "); };
  }

  ImportOrder order;
  std::string log;
};

constexpr ByteRange kFirst{0, 10};
constexpr ByteRange kSecond{10, 20};
constexpr ByteRange kThird{20, 30};

}  // namespace

TEST_CASE("import order: a batch waits for its predecessor and no longer", "[bulk]") {
  Arrivals a;
  auto first = a.arrive(kFirst);
  auto second = a.arrive(kSecond, kFirst);
  auto third = a.arrive(kThird, kSecond);
  REQUIRE(third != nullptr);
  third->when_next(a.note("3"));
  second->when_next([&](bool is_next) {
    a.note("2")(is_next);
    second->end(true);
  });
  CHECK(a.log.empty());
  first->when_next(a.note("1"));
  CHECK(a.log == "1+ ");
  first->end(true);
  CHECK(a.log == "1+ 2+ 3+ ");
  second->end(true);  // only the first call counts
  CHECK(a.log == "1+ 2+ 3+ ");
  third->end(true);
  // The last batch is remembered although it has ended.
  auto fourth = a.arrive({30, 40}, kThird);
  REQUIRE(fourth != nullptr);
  fourth->when_next(a.note("4"));
  CHECK(a.log == "1+ 2+ 3+ 4+ ");
}

TEST_CASE("import order: a batch that is refused or destroyed makes its successor fail", "[bulk]") {
  Arrivals a;
  auto first = a.arrive(kFirst);
  auto second = a.arrive(kSecond, kFirst);
  second->when_next(a.note("2"));
  first.reset();
  CHECK(a.log == "2- ");
  second.reset();
  auto late = a.arrive(kThird, kSecond);
  REQUIRE(late != nullptr);
  late->when_next(a.note("3"));
  CHECK(a.log == "2- 3- ");
  auto again = a.arrive(kFirst);  // an import may begin again with its first range
  again->when_next(a.note("1"));
  CHECK(a.log == "2- 3- 1+ ");
}

TEST_CASE("import order: only the last batch to arrive can have a successor", "[bulk]") {
  Arrivals a;
  CHECK(a.arrive(kSecond, kFirst) == nullptr);
  auto first = a.arrive(kFirst);
  CHECK(a.arrive(kSecond, kFirst, "other import") == nullptr);
  CHECK(a.arrive(kSecond, ByteRange{0, 9}) == nullptr);
  auto second = a.arrive(kSecond, kFirst);
  CHECK(second != nullptr);
  CHECK(a.arrive(kSecond, kFirst) == nullptr);
  CHECK(a.arrive(kThird, kFirst) == nullptr);
}

TEST_CASE("import order: memory and waiting requests are bounded", "[bulk]") {
  Arrivals a;
  std::vector<std::unique_ptr<ImportOrder::Turn>> turns;
  turns.push_back(a.arrive(kFirst));
  while (turns.back() != nullptr && turns.size() < 100) {
    turns.push_back(a.arrive(kFirst, kFirst));
  }
  CHECK(turns.size() < 30);
  for (int i = 0; i < 2'000; ++i) a.arrive(kFirst, {}, std::to_string(i))->end(true);
  CHECK(a.arrive(kSecond, kFirst, "0") == nullptr);
  CHECK(a.arrive(kSecond, kFirst, "1999") != nullptr);
}

}  // namespace analytics::test::import_order_test
