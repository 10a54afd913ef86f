#include "daemon/enrich/user_agent.h"

#include <algorithm>

#include <yaml-cpp/yaml.h>

#include "common/fs.h"
#include "common/text.h"
#include "daemon/enrich/device_class.h"

namespace analytics {
namespace {

constexpr std::size_t kMaxRead = 1'024;  // bytes; what stands behind says nothing more
constexpr std::string_view kSpider = "Spider";
constexpr std::string_view kOther = "Other";

/// Libraries that speak HTTP for programs: what server-side tracking and apps send. Never bots,
/// whatever else they say.
constexpr std::string_view kLibraries[] = {"curl/",
                                           "libcurl",
                                           "Wget/",
                                           "okhttp",
                                           "python-requests",
                                           "python-httpx",
                                           "Python-urllib",
                                           "python-urllib3",
                                           "Python/",
                                           "aiohttp",
                                           "Go-http-client",
                                           "Go ",
                                           "go-resty",
                                           "Java/",
                                           "Java-http-client",
                                           "Apache-HttpClient",
                                           "Jakarta Commons-HttpClient",
                                           "Google-HTTP-Java-Client",
                                           "axios/",
                                           "node-fetch",
                                           "node-superagent",
                                           "undici",
                                           "got ",
                                           "got/",
                                           "Node.js",
                                           "node",
                                           "Deno/",
                                           "Bun/",
                                           "Dart/",
                                           "Ruby",
                                           "rest-client",
                                           "Faraday",
                                           "Typhoeus",
                                           "HTTPClient/",
                                           "GuzzleHttp",
                                           "Guzzle/",
                                           "PHP/",
                                           "Symfony",
                                           "libwww-perl",
                                           "PostmanRuntime",
                                           "insomnia/",
                                           "HTTPie/",
                                           "WinHTTP",
                                           "WinHttp",
                                           "RestSharp",
                                           "Dalvik/",
                                           "reqwest/",
                                           "hyper/",
                                           "ureq/",
                                           "Alamofire",
                                           "hackney/",
                                           "Unirest",
                                           "unirest",
                                           "PycURL/",
                                           "Cpp-httplib",
                                           "Mojolicious",
                                           "analytics/",
                                           "WordPress/",
                                           "Drupal",
                                           "AppEngine-Google",
                                           "Joomla"};
/// The same where they call themselves a Mozilla.
constexpr std::string_view kHiddenLibraries[] = {"WinHttp.WinHttpRequest", "Google-Apps-Script"};

/// What no person's browser says. Case does not matter. Beside them uap-core's spiders.
constexpr const char* kBotPatterns[] = {
    // "Googlebot/2.1", "robots", "bot-" and the like; not the phones of Cubot
    "(?:^|[^u]|[^c]u)bots?(?:[^a-z]|$)",
    "crawl|spider|\\b(?:web|site|data)?scrap(?:er|ing|y)\\b|slurp|archiver|feed ?fetcher|link "
    "?check|"
    "linktiger|httrack",
    // browsers without a person
    "headless|phantomjs|slimerjs|puppeteer|playwright|selenium|webdriver|electron-fetch|jsdom|"
    "\\bsplash\\b|htmlunit|zombie\\.js|\\bnightmare\\b|cypress/|wkhtmlto|browserless|printfriendly|"
    "collapsify|criticalcss",
    // who measures pages and servers
    "lighthouse|page ?speed|ptst/|gtmetrix|pingdom|uptime(?:robot|[ ./-]?(?:monitor|check|kuma))|"
    "statuscake|site24x7|newrelicpinger|newrelicsynthetics|ruxitsynthetic|datadogsynthetics|"
    "datadog agent|catchpoint|dynatrace|monitis|checkly|hetrixtools|\\brigor\\b|yellowlab|ylt "
    "chrome|"
    "dejaclick|speedcurve|thousandeyes|dotcom-monitor|ghost inspector|dareboost|appinsights|"
    "gotsitemonitor|health-?check|googlehc/|kube-probe|check_http|blackbox "
    "exporter|zabbix|nodeping|"
    "updown\\.io|freshping|prtg|panopta|logicmonitor|testlocally",
    // previews of links
    "facebookexternalhit|facebookcatalog|meta-external|^whatsapp/|skypeuripreview|bingpreview|"
    "google web preview|slack-imgproxy|embedly|iframely|bitlybot|vkshare|pinterest/0|"
    "google-(?:read-aloud|inspectiontool|extended|adwords|ads-conversions|structured|safety|"
    "site-verification|agent)|googleagent|google favicon|googleimageproxy|playstore-google|"
    "apis-google|googleother|mediapartners-google|duplexweb-google|yandex(?:images|metrika|direct|"
    "media|blogs|favicons|webmaster|pagechecker|imageresizer)|^viber|^tumblr/|pleroma|misskey|"
    "friendica|line-preview|linkpreview|onebox|github-camo|imageproxy",
    // who reads feeds for others
    "feedly|feedbin|feedburner|feedspot|feedpress|newsblur|inoreader|theoldreader|tiny tiny rss|"
    "freshrss|miniflux|netnewswire|universalfeedparser|simplepie|windows-rss-platform|apple-pubsub|"
    "magpierss|nextcloud-news|akregator|liferea|newsboat|rss2email|blogtrottr|commafeed|bloglovin|"
    "[0-9] subscribers?\\b|feed ?parser",
    // who reads for language models
    "chatgpt-user|claude-(?:web|user)|anthropic-ai|perplexity-user|mistralai-user|cohere-ai|"
    "duckassist|ai2bot|diffbot|timpi|youbot|bytespider|manus-user|newsai/|webzio|trafilatura|"
    "newspaper/|news-please|img2dataset|\\bcolly\\b|turnitin|ltx71",
    // scanners and auditors
    "\\b(?:nessus|nikto|sqlmap|zgrab|masscan|nuclei|nmap|censys|netcraft|qualys|acunetix|wpscan|"
    "dirbuster|l9explore|leakix|openvas|hardenize|silktide|brandverity|contentking|sitebulb|"
    "seobility|"
    "builtwith|dataprovider|siteimprove|securityheaders|seositecheckup|scope3|adbeat)\\b|"
    "cortex "
    "xpanse|expanse,|internet-?measurement|w3c[_-](?:validator|css|checklink)|validator\\.nu|"
    "cookiehub|sucuri|ips-agent|pwabuilder|ssl labs|nitro-optimizer",
    // who gives an address to complain to, in the clothes of a browser
    "^mozilla/.*(?:\\+https?://|mailto:)",
};

/// What only robots say among those that name no device and no system of a person.
constexpr const char* kBareBotPatterns[] = {
    "monitor|scanner|checker|fetcher|preview|validator|uptime|synthetic|watchagent|\\brss\\b|"
    "feed ?reader|indexer|opengraph|digital-archive|imgproxy|backlink|\\bseo|linkreader|virustotal",
};
constexpr std::string_view kPersonMarks[] = {"iPhone",    "iPad",   "Android",   "Windows",
                                             "Macintosh", "Mobile", "CFNetwork", "Darwin",
                                             "X11",       "Linux"};

std::string text_of(const YAML::Node& rule, const char* key) {
  const auto node = rule[key];
  return node ? node.as<std::string>() : std::string();
}

bool has_any_case(const YAML::Node& rule) { return text_of(rule, "regex_flag") == "i"; }

/// A replacement with its placeholders `$1` to `$9` filled in.
std::string fill(const std::string& replacement, const RegexList::Match& match) {
  std::string text;
  for (std::size_t i = 0; i < replacement.size(); ++i) {
    const bool is_group = replacement[i] == '$' && i + 1 < replacement.size() &&
                          replacement[i + 1] >= '1' && replacement[i + 1] <= '9';
    if (is_group) {
      text += match.groups[static_cast<std::size_t>(replacement[++i] - '0')];
    } else {
      text += replacement[i];
    }
  }
  return std::string(trim(text));
}

std::string version_text(const UserAgentRules::Family& family) {
  return family.minor.empty() ? family.major : family.major + "." + family.minor;
}

/// One list of the file: its name, and how its rules call their replacements.
struct Keys {
  const char* list;
  const char* name;
  const char* major;
  const char* minor;
};
constexpr Keys kBrowserKeys = {"user_agent_parsers", "family_replacement", "v1_replacement",
                               "v2_replacement"};
constexpr Keys kSystemKeys = {"os_parsers", "os_replacement", "os_v1_replacement",
                              "os_v2_replacement"};
constexpr Keys kDeviceKeys = {"device_parsers", "device_replacement", "", ""};

}  // namespace

UserAgentRules::UserAgentRules() {
  for (const auto* pattern : kBotPatterns) bots_.add(pattern, true);
  bots_.compile();
  for (const auto* pattern : kBareBotPatterns) bare_bots_.add(pattern, true);
  bare_bots_.compile();
}

Result<UserAgentRules> UserAgentRules::load(const std::filesystem::path& file) {
  const auto refuse = [&](const std::string& problem) {
    return fail(ErrorCode::kInvalidParameter, file.string() + ": " + problem);
  };
  const auto text = read_file(file);
  if (!text) return fail(text.error());
  try {
    const auto document = YAML::Load(*text);
    UserAgentRules all;
    const auto list_of = [&](const Keys& keys) -> Result<YAML::Node> {
      auto list = document[keys.list];
      if (list && list.IsSequence() && list.size() > 0) return list;
      return refuse(std::string("has no list ") + keys.list);
    };
    for (const auto& [keys, rules] :
         {std::pair{&kBrowserKeys, &all.browsers_}, {&kSystemKeys, &all.systems_}}) {
      const auto list = list_of(*keys);
      if (!list) return fail(list.error());
      for (const auto& rule : *list) {
        const auto problem = rules->regexes.add(text_of(rule, "regex"), has_any_case(rule));
        if (!problem.empty()) {
          return refuse("line " + std::to_string(rule.Mark().line + 1) + ": " + problem);
        }
        rules->replacements.push_back(
            {text_of(rule, keys->name), text_of(rule, keys->major), text_of(rule, keys->minor)});
      }
      rules->regexes.compile();
    }
    const auto devices = list_of(kDeviceKeys);
    if (!devices) return fail(devices.error());
    for (const auto& rule : *devices) {
      const auto name = text_of(rule, kDeviceKeys.name);
      if (name == kSpider) all.spiders_.add(text_of(rule, "regex"), has_any_case(rule));
      all.devices_->sources.emplace_back(text_of(rule, "regex"), has_any_case(rule));
      all.devices_->replacements.push_back({name, "", ""});
    }
    all.spiders_.compile();
    return all;
  } catch (const std::exception& error) {
    return refuse(error.what());
  }
}

UserAgentRules::Family UserAgentRules::Rules::find(std::string_view text) const {
  const auto match = regexes.first_match(text);
  if (!match) return {};
  const auto& [name, major, minor] = replacements[match->index];
  const auto part = [&](const std::string& replacement, std::size_t group) {
    return replacement.empty() ? std::string(match->groups[group]) : fill(replacement, *match);
  };
  Family family{part(name, 1), part(major, 2), part(minor, 3)};
  return family.name == kOther ? Family{} : family;
}

UserAgentRules::Family UserAgentRules::Devices::find(std::string_view text) {
  std::call_once(is_ready, [this] {
    for (std::size_t i = 0; i < sources.size(); ++i) {
      const auto& [regex, any_case] = sources[i];
      if (rules.regexes.add(regex, any_case).empty()) {
        rules.replacements.push_back(std::move(replacements[i]));
      }
    }
    rules.regexes.compile();
    sources.clear();
    replacements.clear();
  });
  return rules.find(text);
}

std::string UserAgentRules::find_bot(std::string_view user_agent) const {
  const auto is_library =
      std::any_of(std::begin(kLibraries), std::end(kLibraries),
                  [&](std::string_view library) { return user_agent.starts_with(library); });
  if (is_library || contains_any(user_agent, kHiddenLibraries)) return {};
  auto match = bots_.first_match(user_agent);
  if (!match && !contains_any(user_agent, kPersonMarks)) match = bare_bots_.first_match(user_agent);
  if (match) {
    return "\"" + std::string(trim(match->groups[0])) + "\" in the User-Agent";
  }
  const bool is_spider =
      spiders_.first_match(user_agent) && devices_->find(user_agent).name == kSpider;
  return is_spider ? "a spider of uap-core" : std::string();
}

UserAgent UserAgentRules::read(std::string_view user_agent) const {
  const auto text = user_agent.substr(0, kMaxRead);
  UserAgent result;
  result.bot = find_bot(text);
  auto& client = result.client;
  const auto guess = result.bot.empty() ? device_class(text) : DeviceGuess{kBot};
  client.device = guess.device;
  result.is_sure_of_device = guess.is_sure;
  auto browser = browsers_.find(text);
  auto system = systems_.find(text);
  client.browser_version = version_text(browser);
  client.os_version = version_text(system);
  client.browser = std::move(browser.name);
  client.os = std::move(system.name);
  for (auto* part : {&client.browser, &client.browser_version, &client.os, &client.os_version}) {
    *part = repair_utf8(*part);
  }
  result.client_text = to_text(client);
  return result;
}

}  // namespace analytics
