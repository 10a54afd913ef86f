// Fuzzes the parameters of provisioning requests: multipart, forms, cursors, media types, terms of
// links.
#include <cstdint>

#include "common/text/text.h"
#include "common/wire/provisioned.h"
#include "daemon/call/params.h"
#include "tests/fuzz/require.h"

using namespace analytics;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const std::string_view boundary : {"x", "----WebKitFormBoundary", ""}) {
    if (const auto parts = api::parse_multipart(text, boundary)) {
      for (const auto& [name, value] : *parts) {
        REQUIRE_PROPERTY(is_valid_utf8(name) && is_valid_utf8(value));
      }
    }
  }
  if (const auto form = parse_form(text)) {
    for (const auto& [name, value] : *form) REQUIRE_PROPERTY(is_valid_utf8(name + value));
  }
  if (const auto id = api::decode_cursor(text)) REQUIRE_PROPERTY(api::encode_cursor(*id) == text);
  (void)api::media_parameter(text, "boundary");
  (void)api::media_type(text);
  // Normalising a value a second time does not change it.
  for (const auto normalise : {normalise_link_expiry, normalise_link_filters, normalise_link_period,
                               normalise_frame_ancestors}) {
    const auto kept = normalise(text);
    if (kept) REQUIRE_PROPERTY(normalise(*kept) == *kept);
  }
  if (const auto origins = normalise_frame_ancestors(text)) {
    // The origins must not contain delimiters of a Content-Security-Policy.
    REQUIRE_PROPERTY(origins->find_first_of(";,'\"\r\n") == std::string::npos);
  }
  return 0;
}
