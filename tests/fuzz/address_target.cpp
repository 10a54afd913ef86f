// Fuzzes X-Forwarded-For and CIDR notation: invalid text is never an address, and every address is
// in normal form.
#include <cstdint>

#include "daemon/ingest/client_ip.h"
#include "tests/fuzz/require.h"

using namespace analytics;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > 4'096) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  static const std::vector<Network> kProxies = {*parse_network("10.0.0.0/8"),
                                                *parse_network("::1")};
  for (const auto& proxies : {std::vector<Network>{}, kProxies}) {
    const auto client = client_address(text, "10.1.2.3", proxies);
    const auto parsed = parse_address(client.address);
    REQUIRE_PROPERTY(parsed && format_address(*parsed) == client.address);
  }
  if (const auto network = parse_network(text)) {
    REQUIRE_PROPERTY(network->bits >= 0 && network->bits <= 128);
    REQUIRE_PROPERTY(network->contains(network->address));
  }
  return 0;
}
