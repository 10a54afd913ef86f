// Fuzzes URLs, referrers, campaign tags and domains: results are valid UTF-8, and normal forms
// stay unchanged.
#include <cstdint>

#include "common/text/text.h"
#include "common/text/url.h"
#include "daemon/enrich/referrer.h"
#include "daemon/enrich/utm.h"
#include "daemon/model/site.h"
#include "tests/fuzz/require.h"

using namespace analytics;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > 4'096) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto parts = split_url(text)) {
    REQUIRE_PROPERTY(!parts->scheme.empty() && !parts->host.empty());
    REQUIRE_PROPERTY(is_valid_utf8(shown_hostname(parts->host)));
    for (const auto& tag : extract_utm(parts->query)) REQUIRE_PROPERTY(is_valid_utf8(tag));
  }
  REQUIRE_PROPERTY(is_valid_utf8(stored_referrer(text, "a.example")));
  REQUIRE_PROPERTY(is_valid_utf8(percent_decode_lenient(text)));
  if (const auto decoded = percent_decode(percent_encode(text))) REQUIRE_PROPERTY(*decoded == text);
  if (const auto domain = normalise_domain(text)) {
    const auto again = normalise_domain(*domain);
    REQUIRE_PROPERTY(again && *again == *domain);
    REQUIRE_PROPERTY(!has_control(*domain) && domain->size() <= 253);
  }
  return 0;
}
