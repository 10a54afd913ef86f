#include "cli/replay/input/record_channel.h"

#include "tests/support/catch.h"

namespace analytics::test::record_channel_test {

using namespace analytics::cli;

namespace {

RecordBundle bundle_of(std::size_t records, std::size_t line) {
  RecordBundle bundle;
  for (std::size_t i = 0; i < records; ++i) {
    auto& record = bundle.add();
    record.original.assign(line, 'x');
    record.offset = i;
  }
  return bundle;
}

}  // namespace

TEST_CASE("record channel: a bundle that was given back is reused, and contains no record",
          "[cli][session]") {
  RecordChannel channel;
  CHECK(channel.empty_bundle().empty());
  REQUIRE(channel.push(bundle_of(3, 100)));
  auto taken = channel.pop();
  REQUIRE(taken);
  CHECK(taken->size() == 3);
  const auto* text = (*taken)[0].original.data();
  channel.give_back(std::move(*taken));
  CHECK(taken->empty());
  CHECK(taken->begin() == taken->end());
  auto again = channel.empty_bundle();
  CHECK(again.empty());
  CHECK(again.begin() == again.end());
  auto& record = again.add();
  CHECK(record.original.data() == text);  // the record keeps its memory for reuse
  CHECK(again.size() == 1);
  CHECK(channel.empty_bundle().memory() == 0);
}

TEST_CASE("record channel: spare bundles have the same memory limit as queued ones",
          "[cli][session]") {
  RecordChannel channel;
  for (int i = 0; i < 20; ++i) channel.give_back(bundle_of(10, 10'000));
  std::size_t kept = 0;
  for (auto bundle = channel.empty_bundle(); bundle.memory() > 0; bundle = channel.empty_bundle()) {
    kept += bundle.memory();
  }
  CHECK(kept > 300'000);
  CHECK(kept <= 1'048'576);
  channel.give_back(bundle_of(1, 2'000'000));
  CHECK(channel.empty_bundle().memory() == 0);
}

}  // namespace analytics::test::record_channel_test
