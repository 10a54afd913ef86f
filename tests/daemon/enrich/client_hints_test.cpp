#include "daemon/enrich/client_hints.h"

#include "daemon/enrich/user_agent.h"
#include "tests/support/catch.h"

namespace analytics::test::client_hints_test {

TEST_CASE("client hints: they correct the frozen parts of the User-Agent", "[client_hints]") {
  const auto loaded = UserAgentRules::load("/usr/share/uap-core/regexes.yaml");
  REQUIRE(loaded);
  const auto& rules = *loaded;
  const std::string chrome = ") AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 ";
  const auto windows = "Mozilla/5.0 (Windows NT 10.0; Win64; x64" + chrome + "Safari/537.36";
  const auto mac = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7" + chrome + "Safari/537.36";
  const auto android = "Mozilla/5.0 (Linux; Android 10; K" + chrome + "Mobile Safari/537.36";
  const auto system = [&](const std::string& text, const char* platform, const char* version) {
    const auto known = rules.read(text);
    const auto client = corrected(known, {"", "", platform, version, ""}).value_or(known.client);
    return client.os + " " + client.os_version;
  };
  CHECK(system(windows, "\"Windows\"", "\"15.0.0\"") == "Windows 11");
  CHECK(system(windows, "\"Windows\"", "\"10.0.0\"") == "Windows 10");
  CHECK(system(windows, "\"Windows\"", "\"0.0.0\"") == "Windows 10");
  CHECK(system(mac, "\"macOS\"", "\"26.1.0\"") == "Mac 26.1");
  CHECK(system(mac, "macOS", "14.5.0") == "Mac 14.5");
  CHECK(system(android, "\"Android\"", "\"16.0.0\"") == "Android 16");
  CHECK(system(android, "\"Android\"", "\"8.1.0\"") == "Android 8.1");
  for (const auto* nonsense :
       {"", "\"", "\"\"", "\"<b>\"", "\"-3\"", "x.y", "99999999999999999999"}) {
    INFO(nonsense);
    CHECK(system(android, "\"Android\"", nonsense) == "Android 10");
  }
  CHECK(system(mac, "\"Windows\"", "\"15.0.0\"") == "Mac 10.15");
  const auto browser = [&](const char* brands) {
    const auto known = rules.read(windows);
    return corrected(known, {brands, "", "", "", ""}).value_or(known.client).browser;
  };
  CHECK(browser(R"("Brave";v="143", "Chromium";v="143", "Not A(Brand";v="24")") == "Brave");
  CHECK(browser(R"("Chromium";v="143", "Not,\"Brave;A";v="8", "Google Chrome";v="143")") ==
        "Chrome");
  CHECK(browser("") == "Chrome");
  const auto device = [&](const std::string& text, const char* model) {
    const auto named = name_model(text, {"", "", "", "", model});
    return rules.read(named.value_or(text)).client.device;
  };
  CHECK(device(android, "\"Pixel 9\"") == "Mobile");
  CHECK(device(android, "\"SM-X710\"") == "Tablet");
  CHECK(device(android, "\"BRAVIA 4K VH2\"") == "TV");
  CHECK(device(windows, "\"SM-X710\"") == "Desktop");
  CHECK(name_model(android, {"", "", "", "", "\"SM-X710\""}) ==
        "Mozilla/5.0 (Linux; Android 10; SM-X710" + chrome + "Mobile Safari/537.36");
  CHECK(!name_model(android, {"", "", "", "", "\"\""}));
}

}  // namespace analytics::test::client_hints_test
