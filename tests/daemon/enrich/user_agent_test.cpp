#include "daemon/enrich/user_agent.h"

#include <filesystem>
#include <fstream>
#include <sstream>

#include "daemon/enrich/device_class.h"
#include "daemon/enrich/user_agent_cache.h"
#include "daemon/model/names/client_names.h"
#include "tests/support/catch.h"
#include "tests/support/temp_folder.h"

namespace analytics::test::user_agent_test {

namespace {

const std::filesystem::path kFolder = "/usr/share/uap-core";

const UserAgentRules& rules() {
  static const UserAgentRules all = *UserAgentRules::load(kFolder / "regexes.yaml");
  return all;
}

/// A case of uap-core's own tests. The files are simple enough to be read line by line, without a
/// YAML library.
struct Case {
  std::string text, family, major, minor;
};

std::string unquoted(std::string value) {
  while (!value.empty() && (value.back() == ' ' || value.back() == '\r')) value.pop_back();
  if (value.size() < 2 || (value.front() != '\'' && value.front() != '"')) return value;
  const char quote = value.front();
  value = value.substr(1, value.size() - 2);
  std::string plain;
  for (std::size_t i = 0; i < value.size(); ++i) {
    const bool doubled = quote == '\'' && value[i] == '\'' && value[i + 1] == '\'';
    const bool escaped = quote == '"' && value[i] == '\\';
    if (doubled || escaped) ++i;
    plain += value[i];
  }
  return plain;
}

std::vector<Case> read_cases(const std::string& name) {
  std::ifstream file(kFolder / name);
  std::vector<Case> cases;
  for (std::string line; std::getline(file, line);) {
    const auto at = line.find(": ");
    const auto colon = line.find(':');
    if (colon == std::string::npos || line.starts_with("test_cases")) continue;
    const auto key =
        line.substr(line.find_first_not_of(" -"), colon - line.find_first_not_of(" -"));
    auto value = at == colon ? line.substr(at + 2) : std::string();
    value.erase(0, std::min(value.find_first_not_of(' '), value.size()));
    value = unquoted(value);
    if (key == "user_agent_string") cases.push_back({value, {}, {}, {}});
    if (cases.empty()) continue;
    if (key == "family") cases.back().family = value == "Other" ? "" : value;
    if (key == "major") cases.back().major = value == "null" ? "" : value;
    if (key == "minor") cases.back().minor = value == "null" ? "" : value;
  }
  return cases;
}

template <typename Find>
void check_cases(const std::string& name, std::size_t least, Find find) {
  const auto cases = read_cases(name);
  REQUIRE(cases.size() >= least);
  std::size_t wrong = 0;
  std::ostringstream seen;
  for (const auto& [text, family, major, minor] : cases) {
    const UserAgentRules::Family found = find(text);
    if (found.name == family && found.major == major && found.minor == minor) continue;
    if (found.name.empty() && family.empty()) continue;
    const bool is_console =  // uap-core knows no operating system for consoles
        found.name.starts_with("Nintendo") || found.name.starts_with("PlayStation");
    if (is_console && family.empty()) continue;
    ++wrong;
    seen << text << "\n  wanted " << family << ' ' << major << '.' << minor << ", found "
         << found.name << ' ' << found.major << '.' << found.minor << '\n';
  }
  INFO(name << ": " << wrong << " of " << cases.size() << "\n" << seen.str());
  CHECK(wrong * 100 <= cases.size());
}

}  // namespace

TEST_CASE("user_agent: uap-core's own tests pass", "[user_agent]") {
  check_cases("tests/test_ua.yaml", 1'000, [](auto& text) { return rules().browser(text); });
  check_cases("tests/test_os.yaml", 300, [](auto& text) { return rules().system(text); });
  check_cases("test_resources/firefox_user_agent_strings.yaml", 200,
              [](auto& text) { return rules().browser(text); });
  check_cases("test_resources/opera_mini_user_agent_strings.yaml", 100,
              [](auto& text) { return rules().browser(text); });
  check_cases("test_resources/additional_os_tests.yaml", 20,
              [](auto& text) { return rules().system(text); });
}

TEST_CASE("user_agent: browser, system, device and bots have their common names", "[user_agent]") {
  struct Row {
    const char* text;
    const char* shown;  // "device|browser version|system version"
    bool is_bot = false;
  };
  const Row rows[] = {
      {"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) "
       "Chrome/131.0.0.0 Safari/537.36",
       "Desktop|Chrome 131.0|Windows 10"},
      {"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) "
       "Version/17.4 Safari/605.1.15",
       "Desktop|Safari 17.4|Mac 10.15"},
      {"Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like "
       "Gecko) Version/17.4 Mobile/15E148 Safari/604.1",
       "Mobile|Safari 17.4|iOS 17.4"},
      {"Mozilla/5.0 (iPad; CPU OS 16_3 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
       "Version/16.3 Mobile/15E148 Safari/604.1",
       "Tablet|Safari 16.3|iOS 16.3"},
      {"Mozilla/5.0 (Linux; Android 13; SM-X700) AppleWebKit/537.36 (KHTML, like Gecko) "
       "Chrome/120.0.0.0 Safari/537.36",
       "Tablet|Chrome 120.0|Android 13"},
      {"Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) "
       "Chrome/120.0.0.0 Mobile Safari/537.36",
       "Mobile|Chrome 120.0|Android 14"},
      {"Mozilla/5.0 (Linux; Android 10; CUBOT X30) AppleWebKit/537.36 (KHTML, like Gecko) "
       "Chrome/120.0.0.0 Mobile Safari/537.36",
       "Mobile|Chrome 120.0|Android 10"},
      {"Mozilla/5.0 (X11; Linux x86_64; rv:131.0) Gecko/20100101 Firefox/131.0",
       "Desktop|Firefox 131.0|Linux"},
      {"Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) "
       "Chrome/119.0.0.0 Safari/537.36",
       "Desktop|Chrome 119.0|Chrome OS 14541.0"},
      {"Mozilla/4.0 (compatible; MSIE 8.0; Windows NT 6.1; Trident/4.0; Tablet PC 2.0)",
       "Desktop|IE 8.0|Windows 7"},
      {"Mozilla/5.0 (SMART-TV; Linux; Tizen 5.0) AppleWebKit/537.36 (KHTML, like Gecko) "
       "Version/5.0 TV Safari/537.36",
       "TV|Safari 5.0|Tizen 5.0"},
      {"Mozilla/5.0 (PlayStation 4 9.00) AppleWebKit/605.1.15 (KHTML, like Gecko)", "Console|*|"},
      {"curl/8.5.0", "|curl 8.5|"},
      {"okhttp/4.12.0", "|okhttp 4.12|"},
      {"python-requests/2.31.0", "|Python Requests 2.31|"},
      {"node-fetch/1.0 (+https://github.com/bitinn/node-fetch)", "|*|"},
      {"Java/17.0.1", "|*|"},
      {"Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
       "Bot|Googlebot 2.1|", true},
      {"Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) "
       "HeadlessChrome/120.0.0.0 Safari/537.36",
       "Bot|HeadlessChrome 120.0|Linux", true},
      {"Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; "
       "+https://openai.com/gptbot)",
       "Bot|*|", true},
      {"facebookexternalhit/1.1", "Bot|*|", true},
      {"", "||"},
  };
  for (const auto& row : rows) {
    INFO(row.text);
    const auto read = rules().read(row.text);
    const auto& client = read.client;
    const auto joined = [](const std::string& name, const std::string& version) {
      return version.empty() ? name : name + " " + version;
    };
    const std::string_view shown = row.shown;
    const auto device = shown.substr(0, shown.find('|'));
    CHECK(client.device == device);
    CHECK(read.bot.empty() == !row.is_bot);
    if (shown.find('*') != std::string_view::npos) continue;
    CHECK(client.device + "|" + joined(client.browser, client.browser_version) + "|" +
              joined(client.os, client.os_version) ==
          shown);
  }
}

TEST_CASE("user_agent: bots are distinguished from browsers that look like bots", "[user_agent]") {
  for (const auto* person : {
           "Dalvik/2.1.0 (Linux; U; Android 13; SM-G991B Build/TP1A)",
           "Mozilla/4.0 (compatible; Win32; WinHttp.WinHttpRequest.5)",
           "WordPress/6.4; https://example.com",
           "Drupal (+http://drupal.org/)",
           "Mozilla/5.0 (compatible; Google-Apps-Script; beanserver; +https://script.google.com)",
           "Mozilla/5.0 (Linux; Android 9; M bot 54 Build/PPR1) AppleWebKit/537.36 (KHTML, like "
           "Gecko) "
           "Chrome/100.0.0.0 Mobile Safari/537.36",
           "Mozilla/5.0 (Linux; Android 10; Spider 8 (2020)) AppleWebKit/537.36 (KHTML, like "
           "Gecko) "
           "Chrome/100.0.0.0 Mobile Safari/537.36",
           "Mozilla/5.0 (Linux; Android 9; Redmi 8) AppleWebKit/537.36 (KHTML, like Gecko) "
           "Chrome/101.0.4951.41 Mobile Safari/537.36 (Ecosia android@101.0.4951.41)",
           "CityPlanMap/3.1 (iPhone; iOS 17.0)",
           "BabyMonitor/2.0 (iPhone; iOS 17.0)",
           "Skyscraper News/2.1 (iPhone; iOS 17.0)",
           "Mozilla/5.0 (Linux; Android 13; SM-A536E; wv) AppleWebKit/537.36 (KHTML, like Gecko) "
           "Version/4.0 Chrome/120.0.0.0 Mobile Safari/537.36 WhatsApp/2.23.20",
           "Mozilla/5.0 (Windows NT 10.0; rv:115.0) Gecko/20100101 Firefox/115.0 Uptime-Corp",
       }) {
    INFO(person);
    CHECK(rules().read(person).bot.empty());
  }
  for (const auto* bot : {
           "WhatsApp/2.23.20 A",
           "Amazon-Route53-Health-Check-Service (ref abc; report http://amzn.to/1vsZADi)",
           "ELB-HealthChecker/2.0",
           "kube-probe/1.27",
           "internetVista monitor (Mozilla compatible)",
           "kagi-fetcher/1.0",
           "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/120.0.0.0 Safari/537.36 "
           "NewRelicSynthetics/1.0",
           "Feedbin feed-id:1 - 5 subscribers",
           "Mozilla/5.0 (compatible; Nmap Scripting Engine; https://nmap.org/book/nse.html)",
           "Mozilla/5.0 (compatible; Anything/1.0; +https://example.com/why)",
           "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) "
           "Chrome/120.0.0.0 Safari/537.36 Uptime/1.0 (https://uptime.com)",
           "Mozilla/5.0 (X11; Linux x86_64; me@crawl.example.com) Gecko/20100101 Firefox/120.0",
           "OurServer/1.0 (+https://example.com/contact)",
           "Java/1.8 Googlebot",
           "Go bot/1.0",
           "node-crawler/1.0",
           "nodeping",
           "okhttp/4 crawler",
           "Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X) AppleWebKit/537.36 (KHTML, like Gecko) "
           "Chrome/120.0.0.0 Mobile Safari/537.36 (compatible; Googlebot/2.1)",
           "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Amzn-User/0.1) "
           "Chrome/119.0.6045.214 Safari/537.36",
           "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0 "
           "Safari/537.36 Splunk Synthetics",
       }) {
    INFO(bot);
    CHECK(!rules().read(bot).bot.empty());
  }
}

TEST_CASE("user_agent: ambiguous devices are recognised", "[user_agent]") {
  const std::pair<const char*, const char*> rows[] = {
      {"Instagram 300.0.0.29.110 Android (33/13; 420dpi; 1080x2176; samsung; SM-G991B)", "Mobile"},
      {"Mozilla/5.0 (Linux; Android 9; AFTHA001) AppleWebKit/537.36 (KHTML, like Gecko) "
       "Silk/108.4 like Chrome/108.0 Safari/537.36",
       "TV"},
      {"Mozilla/5.0 (Linux; Android 11; Vestel Venus Z40) AppleWebKit/537.36 Chrome/99.0 Mobile "
       "Safari/537.36",
       "Mobile"},
      {"Mozilla/5.0 (Linux; Android 13; Xiaomi Pad 6) AppleWebKit/537.36 Chrome/120.0 Mobile "
       "Safari/537.36",
       "Tablet"},
      {"Mozilla/5.0 (X11; Linux x86_64; Steam Deck) AppleWebKit/537.36 Chrome/120 Safari/537.36",
       "Console"},
      {"SAMSUNG-SGH-E250/1.0 Profile/MIDP-2.0", "Mobile"},
      {"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 Chrome/118.0 "
       "Safari/537.36 "
       "PhoneLink/1",
       "Desktop"},
      {"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 Chrome/118.0 "
       "Safari/537.36 "
       "Watcher/2",
       "Desktop"},
      {"Mozilla/5.0 (Linux; Android 10; AGS3-W09) AppleWebKit/537.36 Chrome/120.0 Mobile "
       "Safari/537.36",
       "Tablet"},
  };
  for (const auto& [text, device] : rows) {
    INFO(text);
    CHECK(rules().read(text).client.device == device);
  }
  CHECK(!rules().read("com.example.app/1.0 (Linux; Android 14; Pixel 8)").is_sure_of_device);
}

TEST_CASE("user_agent: browsers that are newer than Debian's file are recognised", "[user_agent]") {
  const std::string chrome =
      "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) "
      "Chrome/129.0.0.0 Safari/537.36 ";
  for (const auto& [mark, browser] : std::vector<std::pair<std::string, std::string>>{
           {"OPX/3.1", "Opera GX"},
           {"HuaweiBrowser/14.0.5.301", "Huawei Browser"},
           {"brave/5035", "Brave"},
           {"MicroMessenger/8.0.2", "WeChat Browser"},
           {"Ddg/17.2", "DuckDuckGo"},
           {"EdgA/120.0.0.0", "Edge"},
           {"HeyTapBrowser/45.13.5.0", "HeyTap Browser"},
           {"Vivaldi/6.5", "Vivaldi"}}) {
    INFO(mark);
    CHECK(rules().read(chrome + mark).client.browser == browser);
  }
  const auto app = rules().read("App/1 CFNetwork/1568.100.1 Darwin/24.2.0").client;
  CHECK(app.os + " " + app.os_version == "iOS 18.2");
}

TEST_CASE("user_agent: apps with web views, consoles and televisions are recognised",
          "[user_agent]") {
  const std::string phone =
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like "
      "Gecko) Mobile/15E148 ";
  const auto seen = [](const std::string& text) {
    const auto& [device, browser, browser_version, os, os_version] = rules().read(text).client;
    return browser + " " + browser_version + ", " + os + " " + os_version;
  };
  for (const std::string mark : {"Barcelona 379.0.0.26.99 (iPhone18,5; iOS 18_5)", "[LinkedInApp]",
                                 "ChatGPT/1.2025.308", "Outlook-iOS/2.0"}) {
    INFO(mark);
    CHECK(seen(phone + mark) == "Mobile App , iOS 18.5");
  }
  CHECK(rules().read("Outlook-iOS/709.2042344.prod.iphone (3.21.0)").client.browser ==
        "Microsoft Outlook");
  const auto model = [](const std::string& name) {
    return "Mozilla/5.0 (Linux; Android 13; " + name +
           ") AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Mobile Safari/537.36";
  };
  CHECK(seen(model("M 54 bot")) == "Chrome 120.0, Android 13");
  CHECK(seen(model("M bot 54")) == "Chrome 120.0, Android 13");
  CHECK(seen("Mozilla/5.0 (PlayStation; PlayStation 5/2.26) AppleWebKit/605.1.15 (KHTML, like "
             "Gecko) Version/13.0 Safari/605.1.15") == "NetFront , PlayStation 5.2");
  CHECK(seen("Mozilla/5.0 (Nintendo Switch; WifiWebAuthApplet) AppleWebKit/601.6 (KHTML, like "
             "Gecko) NF/4.0.0.7.9 NintendoBrowser/5.1.0.15785") ==
        "Nintendo Browser 5.1, Nintendo Switch");
  CHECK(seen("Mozilla/5.0 (Web0S; Linux/SmartTV) AppleWebKit/537.36 (KHTML, like Gecko) "
             "Chrome/68.0.3440.106 Safari/537.36 HbbTV/1.5.1 (+DRM; LGE; OLED; WEBOS5.0 "
             "04.50.63; W50_K6LP; DTV_C20L;)")
            .ends_with(", webOS 5.0"));
  CHECK(seen("Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, "
             "like Gecko) Version/26.3 Mobile/15E148 Safari/604.1") == "Safari 26.3, iOS 26.3");
}

TEST_CASE("user_agent: filters accept current names, former names and Plausible's",
          "[user_agent]") {
  CHECK(meant_browser("Mobile Safari") == "Safari");
  CHECK(meant_browser("Microsoft Edge") == "Edge");
  CHECK(meant_browser("Chrome") == "Chrome");
  CHECK(meant_os("Mac OS X") == "Mac");
  CHECK(meant_os("GNU/Linux") == "Linux");
}

TEST_CASE("user_agent: some tablets say that they are phones", "[user_agent]") {
  const auto android = rules().read(
      "Mozilla/5.0 (Linux; Android 12; XYZ) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0 "
      "Mobile Safari/537.36");
  CHECK(android.may_be_tablet);
  CHECK(!rules().read("Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X)").may_be_tablet);
}

TEST_CASE("user_agent: without the file, only devices and plain bots are recognised",
          "[user_agent]") {
  const UserAgentRules none;
  const auto read = none.read("Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X)");
  CHECK(read.client == Client{"Mobile", "", "", "", ""});
  CHECK(!none.read("Googlebot/2.1").bot.empty());
  CHECK(none.read("").client == Client{});
}

TEST_CASE("user_agent: an invalid file is refused with the number of the wrong line",
          "[user_agent]") {
  TempFolder folder;
  const auto load = [&](const std::string& text) {
    std::ofstream(folder / "r.yaml") << text;
    const auto rules = UserAgentRules::load(folder / "r.yaml");
    REQUIRE(!rules);
    return rules.error().message;
  };
  CHECK(!UserAgentRules::load(folder / "absent.yaml"));
  CHECK(load("x: [").find("r.yaml") != std::string::npos);
  CHECK(load("user_agent_parsers: []").find("has no list") != std::string::npos);
  CHECK(load("user_agent_parsers:\n  - regex: '(a'\n").find("line 2") != std::string::npos);
}

TEST_CASE("user_agent: the screen's width tells the device if nothing else does", "[user_agent]") {
  CHECK(device_class(390) == "Mobile");
  CHECK(device_class(820) == "Tablet");
  CHECK(device_class(1440) == "Desktop");
  CHECK(device_class(0).empty());
}

TEST_CASE("user_agent: the cache forgets old entries and returns equal results", "[user_agent]") {
  const UserAgentCache cache{UserAgentRules()};
  const auto phone = "Mozilla/5.0 (iPhone)";
  const auto first = cache.read(phone);
  CHECK(cache.read(phone) == first);
  for (int i = 0; i < 80'000; ++i) (void)cache.read("agent " + std::to_string(i));
  CHECK(cache.read(phone) != first);
  CHECK(cache.read(phone)->client == first->client);
}

}  // namespace analytics::test::user_agent_test
