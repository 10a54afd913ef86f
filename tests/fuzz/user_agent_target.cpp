// Fuzzes User-Agents: the results are valid UTF-8, whatever a client sends.
#include <cstdint>

#include "common/text/text.h"
#include "daemon/enrich/user_agent.h"
#include "tests/fuzz/require.h"

using namespace analytics;

namespace {

/// Returns the rules with uap-core's expressions if these are installed, else only our own rules.
const UserAgentRules& rules() {
  static const UserAgentRules all = [] {
    auto loaded = UserAgentRules::load("/usr/share/uap-core/regexes.yaml");
    return loaded ? std::move(*loaded) : UserAgentRules();
  }();
  return all;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto read = rules().read(text);
  const auto& client = read.client;
  for (const auto& part : kClientParts) REQUIRE_PROPERTY(is_valid_utf8(client.*part.text));
  REQUIRE_PROPERTY(read.bot.empty() || client.device == "Bot");
  return 0;
}
