// Fuzzes JSON objects: nlohmann/json accepts every object that the fast reader accepts, with the
// same result.
#include <cstdint>
#include <string_view>

#include "common/json/json_object.h"
#include "tests/fuzz/require.h"

using namespace analytics;

namespace {

bool is_same(const std::vector<json::Member>& a, const std::vector<json::Member>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i].key != b[i].key || a[i].value.kind != b[i].value.kind ||
        a[i].value.text != b[i].value.text || !is_same(a[i].value.members, b[i].value.members)) {
      return false;
    }
  }
  return true;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > 65'536) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const json::Limits limits : {json::Limits{}, json::Limits{2, 5}, json::Limits{.kept = 3}}) {
    json::Object plain, any;
    if (!json::read_plain_object(text, limits, plain)) continue;
    REQUIRE_PROPERTY(json::read_any_object(text, limits, any).empty());
    REQUIRE_PROPERTY(is_same(plain.members, any.members));
  }
  return 0;
}
