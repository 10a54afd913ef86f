#include "daemon/parts/packed.h"

#include <algorithm>
#include <random>
#include <set>

#include "daemon/parts/coded.h"
#include "tests/support/catch.h"

namespace analytics::test::packed_test {

namespace {

std::vector<std::uint32_t> unpacked(const std::string& bytes, std::size_t size) {
  const parts::Packed packed(bytes, size);
  std::vector<std::uint32_t> numbers((size + parts::kBlock - 1) / parts::kBlock * parts::kBlock);
  packed.read_all(numbers);
  numbers.resize(size);
  return numbers;
}

std::vector<std::uint32_t> random_numbers(std::mt19937& random, std::size_t size, unsigned width) {
  std::vector<std::uint32_t> numbers;
  for (std::size_t i = 0; i < size; ++i) {
    numbers.push_back(width == 0 ? 0 : static_cast<std::uint32_t>(random()) >> (32 - width));
  }
  return numbers;
}

}  // namespace

TEST_CASE("packed numbers: any width and count are read back unchanged", "[parts]") {
  std::mt19937 random(1);
  for (unsigned width = 0; width <= 32; ++width) {
    for (const std::size_t size : {0U, 1U, 31U, 32U, 1'023U, 1'024U, 1'025U, 3'000U}) {
      CAPTURE(width, size);
      const auto numbers = random_numbers(random, size, width);
      const auto bytes = parts::pack(numbers);
      REQUIRE(unpacked(bytes, size) == numbers);
      REQUIRE(parts::Packed(bytes, size).limit() <= std::uint64_t{1} << width);
    }
  }
}

TEST_CASE("packed numbers: one large number widens only its own block", "[parts]") {
  std::vector<std::uint32_t> numbers(10 * parts::kBlock, 1);
  const auto narrow = parts::pack(numbers).size();
  numbers[5'000] = UINT32_MAX;
  CHECK(parts::pack(numbers).size() - narrow == 31 * parts::kBlock / 8);
  CHECK(unpacked(parts::pack(numbers), numbers.size()) == numbers);
}

TEST_CASE("packed numbers: bytes of another length or width are refused", "[parts]") {
  const auto bytes = parts::pack(std::vector<std::uint32_t>(2'000, 7));
  CHECK_THROWS_AS(parts::Packed(bytes, 1'900), parts::Damaged);
  CHECK_THROWS_AS(parts::Packed(bytes, 3'000), parts::Damaged);
  CHECK_THROWS_AS(parts::Packed(bytes.substr(1), 2'000), parts::Damaged);
  CHECK_THROWS_AS(parts::Packed("", 1), parts::Damaged);
  auto wide = bytes;
  wide[0] = 33;
  CHECK_THROWS_AS(parts::Packed(wide, 2'000), parts::Damaged);
}

TEST_CASE("coded columns: small and large numbers are read back in the same form", "[parts]") {
  std::mt19937 random(2);
  for (unsigned width = 0; width <= 31; ++width) {
    for (const std::size_t size : {1U, 2U, 1'000U}) {
      CAPTURE(width, size);
      const auto values = random_numbers(random, size, width);
      const auto bytes = parts::pack_coded(values);
      const auto coded = parts::read_coded(bytes, size);
      const std::set<std::int64_t> numbers(values.begin(), values.end());
      const std::vector<std::int64_t> in_order(numbers.begin(), numbers.end());
      REQUIRE(std::equal(in_order.begin(), in_order.end(), coded.numbers.begin()));
      const auto codes = parts::unpack(coded.codes);
      for (std::size_t i = 0; i < size; ++i) REQUIRE(coded.numbers[codes[i]] == values[i]);
    }
  }
}

}  // namespace analytics::test::packed_test
