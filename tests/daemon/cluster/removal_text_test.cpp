// The text form of a removal for other nodes is read back unchanged, and other texts are refused.
#include "daemon/cluster/removal_text.h"
#include "tests/support/catch.h"

namespace analytics::test::removal_text_test {

using cluster::parse_removal;

namespace {

store::SharedRemoval some_removal() {
  store::SharedRemoval removal;
  removal.at = UnixSeconds(std::chrono::seconds(1'790'000'000));
  removal.what.site = 7;
  return removal;
}

std::string again(const store::SharedRemoval& removal) {
  const auto parsed = parse_removal(cluster::to_text(removal));
  REQUIRE(parsed);
  REQUIRE(*parsed);
  return cluster::to_text(*parsed);
}

}  // namespace

TEST_CASE("removal text: every condition is written and read back", "[cluster]") {
  CHECK(cluster::to_text(std::nullopt).empty());
  CHECK(parse_removal("").value() == std::nullopt);
  auto removal = some_removal();
  CHECK(again(removal) == R"({"at":1790000000,"site":7})");
  removal.what.from = UnixSeconds(std::chrono::seconds(-5));
  removal.what.to = UnixSeconds(std::chrono::seconds(5));
  removal.what.page = "/a \"b\"\n\xc3\xa4**";
  removal.what.source = "";
  removal.what.prop = EventSelection::Prop{"plan", "pro"};
  removal.what.visitor_of = LastingId{UnixMillis(std::chrono::milliseconds(1'234)), 99};
  removal.what.visitor = UINT64_MAX;
  const auto parsed = parse_removal(cluster::to_text(removal)).value().value();
  CHECK(parsed.at == removal.at);
  CHECK(parsed.what.site == 7);
  CHECK(parsed.what.from == removal.what.from);
  CHECK(parsed.what.to == removal.what.to);
  CHECK(parsed.what.page == removal.what.page);
  CHECK(parsed.what.source == "");
  CHECK(parsed.what.prop->key == "plan");
  CHECK(parsed.what.prop->value == "pro");
  CHECK(parsed.what.visitor_of == removal.what.visitor_of);
  CHECK(parsed.what.visitor == UINT64_MAX);
}

TEST_CASE("removal text: an unknown or invalid member is refused", "[cluster]") {
  for (const auto* text :
       {"x", "[]", "{}", R"({"at":1})", R"({"site":"7"})", R"({"site":7,"city":"Berlin"})",
        R"({"site":7,"visitor_of":"no id"})", R"({"site":7,"from":"1"})"}) {
    INFO(text);
    CHECK(!parse_removal(text));
  }
}

}  // namespace analytics::test::removal_text_test
