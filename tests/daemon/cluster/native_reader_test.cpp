// Blocks are read correctly however their bytes are cut, and other bytes are an error.
#include <array>

#include "daemon/cluster/native_block.h"
#include "daemon/cluster/native_reader.h"
#include "tests/support/catch.h"

namespace analytics::test::native_reader_test {

using cluster::NativeBlock;
using cluster::NativeReader;

namespace {

using Type = NativeReader::Type;

constexpr std::array<NativeBlock::Column, 4> kColumns = {
    {{"a", "UInt64"}, {"b", "String"}, {"c", "Int16"}, {"d", "UInt8"}}};
const std::vector<Type> kTypes = {Type::kUInt64, Type::kString, Type::kInt16, Type::kUInt8};

std::string block_of(int rows) {
  NativeBlock block(kColumns);
  for (int i = 0; i < rows; ++i) {
    const std::string text(static_cast<std::size_t>(70 * i), 'x');
    block << static_cast<std::uint64_t>(i) << std::string_view(text)
          << static_cast<std::int16_t>(-i) << static_cast<std::uint8_t>(200 + i);
  }
  return block.finish();
}

/// Reads the bytes in pieces of `size`. Returns a line per row, then "end", "cut" or "error".
std::string read_in_pieces(const std::string& bytes, std::size_t size) {
  NativeReader reader(kTypes);
  std::string text;
  for (std::size_t at = 0; at < bytes.size(); at += size) {
    reader.input().append(bytes, at, size);
    auto is_there = reader.next();
    for (; is_there && *is_there; is_there = reader.next()) {
      for (std::size_t row = 0; row < reader.rows(); ++row) {
        text += std::to_string(reader.number(0, row)) + " " +
                std::to_string(reader.text(1, row).size()) + " " +
                std::to_string(reader.number(2, row)) + " " +
                std::to_string(reader.number(3, row)) + "\n";
      }
    }
    if (!is_there) return text + "error";
  }
  return text + (reader.is_at_end() ? "end" : "cut");
}

}  // namespace

TEST_CASE("native reader: blocks are read however their bytes are cut", "[cluster]") {
  const auto bytes = block_of(3) + block_of(0) + block_of(2);
  const std::string expected = "0 0 0 200\n1 70 -1 201\n2 140 -2 202\n0 0 0 200\n1 70 -1 201\nend";
  for (std::size_t size = 1; size <= bytes.size(); ++size) {
    INFO(size);
    REQUIRE(read_in_pieces(bytes, size) == expected);
  }
  CHECK(read_in_pieces("", 1) == "end");
  // Bytes that end within a block are incomplete.
  const auto one = block_of(3);
  for (std::size_t end = 1; end < one.size(); ++end) {
    INFO(end);
    const auto text = read_in_pieces(one.substr(0, end), 7);
    REQUIRE(text.substr(text.size() - 3) == "cut");
  }
}

TEST_CASE("native reader: an unexpected reply is an error", "[cluster]") {
  const auto block = block_of(2);
  CHECK(read_in_pieces(block + "Code: 159, e.displayText() = DB::Exception: Timeout", 1'000) ==
        "0 0 0 200\n1 70 -1 201\nerror");
  constexpr std::array<NativeBlock::Column, 4> kOthers = {
      {{"a", "UInt64"}, {"b", "String"}, {"c", "Int32"}, {"d", "UInt8"}}};
  NativeBlock other(kOthers);
  other << std::uint64_t{1} << std::string_view("x") << std::int32_t{1} << std::uint8_t{1};
  CHECK(read_in_pieces(other.finish(), 1'000) == "error");
  constexpr std::array<NativeBlock::Column, 1> kFewer = {{{"a", "UInt64"}}};
  NativeBlock fewer(kFewer);
  fewer << std::uint64_t{1};
  CHECK(read_in_pieces(fewer.finish(), 1'000) == "error");
  CHECK(read_in_pieces(std::string("\x04\xff\xff\xff\xff\xff\xff", 7), 1'000) == "error");
  NativeReader reader(kTypes);
  reader.input() += "Code: 241, e.displayText() = DB::Exception: Memory limit exceeded\n";
  const auto refused = reader.next();
  REQUIRE(!refused);
  CHECK(refused.error().message.find("Code: 241") != std::string::npos);
}

}  // namespace analytics::test::native_reader_test
