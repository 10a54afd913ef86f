// Fuzzes event bodies: a reference parser accepts every body that our parser accepts, and our
// parser reads its own output as the same event.
#include <cstdint>

#include <nlohmann/json.hpp>

#include "common/event/event_payload.h"
#include "common/text/text.h"
#include "tests/fuzz/require.h"

using namespace analytics;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > 65'536) return 0;
  const std::string_view body(reinterpret_cast<const char*>(data), size);
  const PayloadRights rights{true, UnixMillis(std::chrono::milliseconds(1'800'000'000'000))};
  const auto payload = parse_event_payload(body, rights);
  if (!payload) {
    REQUIRE_PROPERTY(!payload.error().message.empty());
    return 0;
  }
  if (is_valid_utf8(body) && body.find("\\u") == std::string_view::npos) {
    REQUIRE_PROPERTY(nlohmann::json::accept(body));
  }
  REQUIRE_PROPERTY(!payload->domains.empty() && payload->domains.size() <= 10);
  REQUIRE_PROPERTY(payload->props.size() <= 30);
  REQUIRE_PROPERTY(is_valid_utf8(payload->name) && is_valid_utf8(payload->url));
  const auto again = parse_event_payload(to_json(*payload), rights);
  REQUIRE_PROPERTY(again.has_value());
  REQUIRE_PROPERTY(again->domains == payload->domains && again->name == payload->name);
  REQUIRE_PROPERTY(again->url == payload->url && again->timestamp == payload->timestamp);
  REQUIRE_PROPERTY(nlohmann::json::accept(props_to_json(payload->props)) || payload->props.empty());
  return 0;
}
