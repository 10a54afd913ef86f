// Fuzzes blocks from a ClickHouse server: any bytes, however they are split, give rows of the
// requested columns or an error.
#include <algorithm>

#include "daemon/cluster/native_reader.h"
#include "tests/fuzz/require.h"

using namespace analytics;
using cluster::NativeReader;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using Type = NativeReader::Type;
  if (size == 0) return 0;
  const std::size_t piece = 1 + data[0];
  const std::string_view bytes(reinterpret_cast<const char*>(data + 1), size - 1);
  NativeReader reader({Type::kUInt64, Type::kString, Type::kInt16, Type::kUInt8});
  std::int64_t sum = 0;
  for (std::size_t at = 0; at < bytes.size(); at += piece) {
    reader.input() += bytes.substr(at, piece);
    auto is_there = reader.next();
    for (; is_there && *is_there; is_there = reader.next()) {
      for (std::size_t row = 0; row < reader.rows(); ++row) {
        sum ^= reader.number(0, row) ^ reader.number(2, row) ^ reader.number(3, row);
        const auto text = reader.text(1, row);
        sum += std::count(text.begin(), text.end(), 'x');
      }
      REQUIRE_PROPERTY(reader.rows() <= bytes.size());  // each row takes at least one byte
    }
    if (!is_there) return 0;
  }
  return sum == INT64_MIN ? -1 : 0;  // keeps the compiler from removing the loops
}
