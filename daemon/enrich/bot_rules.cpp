#include "daemon/enrich/bot_rules.h"

#include <algorithm>

#include "common/text/text.h"
#include "daemon/enrich/bot_table.h"

namespace analytics {
namespace {

/// Names at the start of a User-Agent that mean an HTTP library. A library alone is not a bot,
/// because apps and servers send events with it.
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
                                           "PHP-Curl-Class/",
                                           "Mechanize/",
                                           "HTTP_Request2/",
                                           "Boto3/",
                                           "Symfony",
                                           "libwww-perl",
                                           "PostmanRuntime",
                                           "insomnia/",
                                           "Apidog/",
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
/// Names of HTTP libraries that may appear anywhere in the User-Agent.
constexpr std::string_view kHiddenLibraries[] = {"WinHttp.WinHttpRequest", "Google-Apps-Script",
                                                 "AnyEvent-HTTP", "Python-urllib"};
/// Words for devices and systems that people use; lower case.
constexpr std::string_view kPersonMarks[] = {"iphone",    "ipad",   "android",   "windows",
                                             "macintosh", "mobile", "cfnetwork", "darwin",
                                             "x11",       "linux",  "midp",      "blackberry"};
/// Parts of the User-Agents of Ecosia's apps that look like mail addresses but are not.
constexpr std::string_view kNoMail[] = {"android@", "ios@"};
/// Google's libraries and phones, which begin with "google-" but are not bots.
constexpr std::string_view kNoGoogleBot[] = {
    "google-http-", "google-api-",  "google-apps-script", "google-cloud-sdk",
    "google-pixel", "google-nexus", "google-play"};
/// Words that may follow "Mozilla/5.0 " in a real browser's User-Agent instead of "("; lower case.
constexpr std::string_view kEngines[] = {"applewebkit", "gecko", "chrome", "version", "opera"};

// Regular expressions for BotRules, matched without case.
constexpr char kWordPattern[] =
    // "bots?" matches "Googlebot/2.1", "robots" and "bot-", but not the phones of Cubot
    "(?:^|[^u]|[^c]u)bots?(?:[^a-z]|$)|b\\.o\\.t|crawl|xrawler|spider|"
    "\\b(?:web|site|data)?scrap(?:er|ing|y)\\b|slurp|archiver|feed ?fetcher|link ?(?:check|chk)|"
    "linktiger|httrack|jndi:|oast\\.|burpcollaborator";
constexpr char kModelWordPattern[] = "(?:^|[^u]|[^c]u)bots?(?:-[a-z]+)*/[0-9]|-google/[0-9]";
constexpr char kLibraryWordPattern[] =
    "(?:^|[^u]|[^c]u)bots?(?:[^a-z]|$)|crawl|spider|\\b(?:web|site|data)?scrap(?:er|ing|y)\\b|"
    "nodeping";
constexpr char kAddressPattern[] =
    "https?://|https?%3a|\\bwww\\.|"
    "[a-z0-9_+-][a-z0-9_.+-]*@[a-z0-9-]+(?:\\.[a-z0-9-]+)*\\.[a-z]{2,}";
constexpr const char* kBarePatterns[] = {
    "monitor|scan(?:ner|ning|\\b)|check(?:er|\\b|r)|fetcher|retriev|preview|validat|uptime|"
    "synthetic|"
    "watchagent|\\brss\\b|rss$|feed ?reader|indexer|opengraph|digital-archive|imgproxy|backlink|"
    "\\bseo|linkreader|virustotal|probe|analy[zs]er|detector|extractor|audit|resolver|lookup|verif|"
    "inspect|screenshot|search(?:x?er|x|\\b|engine)|websearch|collector|webhook|recon\\b|radar|"
    "\\bdcv\\b|parser|classifier|research|finder|discovery|measurement|archiv|"
    "link ?(?:expand|finder|chain)|hello,? world|user.?agent|knowledge",
    // a domain without "www.", as the maker's in "Foo (foo.com)"
    "(?:^|[^a-z0-9_.@-])(?:[a-z0-9-]+\\.)*[a-z0-9-]*[a-z][a-z0-9-]*\\.(?:com|org|net|io|ai|eu|co|"
    "ru|"
    "de|nu|me|app|dev|info|be|fr|uk|ua|ch|gov|edu|us|cz|nl|pl|it|at|gy|ly|tech|cloud|online|site|"
    "xyz|pro|academy|network|live)(?:[/;,:)\\s]|$)"};

bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_word_character(char c) { return is_lower(c) || (c >= '0' && c <= '9'); }

/// Returns the position of the bracket that closes the one at `open`, or the text's end.
std::size_t closing_bracket(std::string_view text, std::size_t open) {
  int depth = 0;
  for (std::size_t at = open; at < text.size(); ++at) {
    depth += text[at] == '(' ? 1 : 0;
    depth -= text[at] == ')' ? 1 : 0;
    if (depth == 0) return at;
  }
  return text.size();
}

std::string without(std::string text, std::span<const std::string_view> parts) {
  for (const auto part : parts) {
    for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at)) {
      text.erase(at, part.size());
    }
  }
  return text;
}

/// Returns true if the User-Agent begins with the name of an HTTP library and no letter follows, so
/// that "nodeping" does not count as "node".
bool names_library(std::string_view user_agent) {
  return std::any_of(std::begin(kLibraries), std::end(kLibraries), [&](std::string_view library) {
    if (!user_agent.starts_with(library)) return false;
    const char last = static_cast<char>(library.back() | 0x20);
    const bool goes_on = user_agent.size() > library.size() && is_lower(last) &&
                         is_lower(static_cast<char>(user_agent[library.size()] | 0x20));
    return !goes_on;
  });
}

/// Returns the name from the bot table that the text contains; empty if it contains none. `text`
/// is in lower case.
std::string_view find_name(std::string_view text) {
  const auto first = [](std::span<const std::string_view> names, auto fits) {
    const auto found = std::find_if(names.begin(), names.end(), fits);
    return found == names.end() ? std::string_view() : *found;
  };
  const auto is_word = [&](std::string_view name) {
    for (auto at = text.find(name); at != text.npos; at = text.find(name, at + 1)) {
      const auto end = at + name.size();
      const bool begins = at == 0 || !is_word_character(text[at - 1]);
      if (begins && (end == text.size() || !is_word_character(text[end]))) return true;
    }
    return false;
  };
  if (const auto name = first(bot_names_at_start(),
                              [&](std::string_view each) { return text.starts_with(each); });
      !name.empty()) {
    return name;
  }
  if (const auto name = first(bot_names_as_words(), is_word); !name.empty()) return name;
  return first(bot_names_anywhere(),
               [&](std::string_view each) { return text.find(each) != text.npos; });
}

/// Returns true if the text looks like a browser's User-Agent in a form that no browser sends.
/// `text` is in lower case. `has_person`: true if the text names a device or system that people
/// use.
bool is_disguise(std::string_view text, bool has_person) {
  if (text.find("khtml, like gecko; ") != text.npos) return true;
  constexpr std::string_view kCompatible = "mozilla/5.0 (compatible; ";
  if (text.starts_with(kCompatible) && text.ends_with(')')) {
    const auto name = text.substr(kCompatible.size(), text.size() - kCompatible.size() - 1);
    if (!name.empty() && name.find_first_of(";()") == name.npos) return true;
  }
  if (has_person || !(text.starts_with("mozilla/4.0") || text.starts_with("mozilla/5.0"))) {
    return false;
  }
  text.remove_prefix(std::string_view("mozilla/5.0").size());
  if (text.starts_with(';')) text.remove_prefix(1);
  const auto blanks = std::min(text.find_first_not_of(' '), text.size());
  text.remove_prefix(blanks);
  return blanks > 0 && !text.empty() && is_lower(text.front()) &&
         std::none_of(std::begin(kEngines), std::end(kEngines),
                      [&](std::string_view engine) { return text.starts_with(engine); });
}

std::string quoted(std::string_view mark) {
  return "\"" + std::string(trim(mark)) + "\" in the User-Agent";
}

void make(RegexList& list, std::initializer_list<const char*> patterns) {
  for (const auto* pattern : patterns) list.add(pattern, true);
  list.compile();
}

}  // namespace

std::string without_phone_model(std::string_view user_agent) {
  std::string text(user_agent);
  for (auto at = text.find("FBDV/"); at != std::string::npos; at = text.find("FBDV/")) {
    // FBDV/ begins the model of the phone in Facebook's app
    text.erase(at, text.find_first_of(";]", at) - at);
  }
  constexpr std::string_view kAndroid = "Android";
  for (auto at = text.find(kAndroid); at != std::string::npos; at = text.find(kAndroid, at)) {
    const auto open = text.rfind('(', at);
    const bool is_inside =
        open != std::string::npos && text.substr(open, at - open).find(')') == std::string::npos;
    if (is_inside) {
      text.erase(at, closing_bracket(text, open) - at);
    } else if (text.compare(at, kAndroid.size() + 2, "Android (") == 0) {
      text.erase(at, closing_bracket(text, at + kAndroid.size() + 1) - at);
    } else {
      at += kAndroid.size();
    }
  }
  return text;
}

BotRules::BotRules() {
  make(words_, {kWordPattern});
  make(model_words_, {kModelWordPattern});
  make(library_words_, {kLibraryWordPattern});
  make(addresses_, {kAddressPattern});
  make(bare_, {kBarePatterns[0], kBarePatterns[1]});
}

BotRules::Verdict BotRules::judge(std::string_view user_agent) const {
  const auto text = without_phone_model(user_agent);
  const auto reason_of = [](const std::optional<RegexList::Match>& match) {
    return match ? quoted(match->groups[0]) : std::string();
  };
  if (names_library(user_agent) || contains_any(user_agent, kHiddenLibraries)) {
    return {true, reason_of(library_words_.first_match(text))};
  }
  const auto lower = ascii_lower(user_agent);
  if (const auto match = words_.first_match(text)) return {false, reason_of(match)};
  if (const auto match = model_words_.first_match(user_agent)) return {false, reason_of(match)};
  const auto without_mail = without(lower, kNoMail);
  if (const auto match = addresses_.first_match(without_mail)) return {false, reason_of(match)};
  const bool has_person = contains_any(lower, kPersonMarks);
  if (is_disguise(lower, has_person)) return {false, "a browser's User-Agent that no browser has"};
  if (!has_person) {
    if (const auto match = bare_.first_match(user_agent)) return {false, reason_of(match)};
  }
  const auto name = find_name(without(ascii_lower(text), kNoGoogleBot));
  return {false, name.empty() ? std::string() : quoted(name)};
}

}  // namespace analytics
