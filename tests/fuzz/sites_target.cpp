// Fuzzes files of sites for `analytics apply`: a file that can be read can also be written and
// read again unchanged.
#include <cstdint>
#include <string_view>

#include "cli/site_file/site_spec.h"
#include "tests/fuzz/require.h"

using namespace analytics::cli;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > 65'536) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto sites = parse_sites(text, "a file");
  if (!sites) return 0;
  const auto written = format_sites(*sites);
  const auto again = parse_sites(written, "a file");
  REQUIRE_PROPERTY(again.has_value());
  REQUIRE_PROPERTY(format_sites(*again) == written);
  return 0;
}
