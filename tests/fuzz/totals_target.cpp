// Fuzzes stored totals of a day: any bytes are refused, or are encoded again unchanged.
#include <cstring>

#include "daemon/parts/packed.h"
#include "daemon/totals/day_totals.h"
#include "tests/fuzz/require.h"

using namespace analytics;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  std::uint64_t values = 0;
  // Limits the number of values, because a small input may encode many equal ones, which need much
  // memory.
  if (size >= 16) std::memcpy(&values, data + 8, sizeof values);
  if (values > 100'000) return 0;
  try {
    const auto day = totals::from_bytes(bytes);
    REQUIRE_PROPERTY(totals::from_bytes(totals::to_bytes(day)) == day);
  } catch (const parts::Damaged&) {
  }
  return 0;
}
