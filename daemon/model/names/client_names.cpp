#include "daemon/model/names/client_names.h"

#include <algorithm>
#include <span>

namespace analytics {
namespace {

struct Renamed {
  std::string_view from;
  std::string_view to;
};

constexpr std::string_view kApp = "Mobile App";

// uap-core's names of browsers, each with the name that Plausible shows for it.
constexpr Renamed kBrowsers[] = {{"Chrome Mobile", "Chrome"},
                                 {"Chrome Mobile iOS", "Chrome"},
                                 {"Chrome Mobile WebView", kApp},
                                 {"Mobile Safari", "Safari"},
                                 {"Mobile Safari UI/WKWebView", "Safari"},
                                 {"Firefox Mobile", "Firefox"},
                                 {"Firefox iOS", "Firefox"},
                                 {"Opera Mobile", "Opera"},
                                 {"Opera Mini", "Opera"},
                                 {"Opera Touch", "Opera"},
                                 {"Edge Mobile", "Edge"},
                                 {"IE Mobile", "IE"},
                                 {"UC Browser Mobile", "UC Browser"},
                                 {"DuckDuckGo Mobile", "DuckDuckGo"},
                                 {"Ecosia iOS", "Ecosia"},
                                 {"Ecosia Android", "Ecosia"},
                                 {"Facebook", kApp},
                                 {"Facebook Messenger", kApp},
                                 {"Instagram", kApp},
                                 {"Messenger", kApp},
                                 {"Pinterest", kApp},
                                 {"Snapchat", kApp},
                                 {"Telegram", kApp},
                                 {"TikTok", kApp},
                                 {"Twitter", kApp}};
constexpr Renamed kSystems[] = {{"Mac OS X", "Mac"}, {"macOS", "Mac"}, {"Mac OS", "Mac"}};

// Plausible's names of browsers that differ from the stored names.
constexpr Renamed kMeantBrowsers[] = {{"Microsoft Edge", "Edge"},
                                      {"Internet Explorer", "IE"},
                                      {"Samsung Browser", "Samsung Internet"},
                                      {"Yandex Browser Lite", "Yandex Browser"},
                                      {"Firefox Mobile iOS", "Firefox"},
                                      {"Opera Mini iOS", "Opera"},
                                      {"Chrome Webview", kApp}};
constexpr Renamed kMeantSystems[] = {{"GNU/Linux", "Linux"}};

const Renamed* find(std::span<const Renamed> table, std::string_view name) {
  const auto found = std::find_if(table.begin(), table.end(),
                                  [&](const Renamed& each) { return each.from == name; });
  return found == table.end() ? nullptr : &*found;
}

std::string renamed(std::string_view name, std::span<const Renamed> first,
                    std::span<const Renamed> second = {}) {
  for (const auto table : {first, second}) {
    if (const auto* row = find(table, name)) return std::string(row->to);
  }
  return std::string(name);
}

}  // namespace

std::string shown_browser(std::string_view name) { return renamed(name, kBrowsers); }
std::string shown_os(std::string_view name) { return renamed(name, kSystems); }
std::string meant_browser(std::string_view name) {
  return renamed(name, kBrowsers, kMeantBrowsers);
}
std::string meant_os(std::string_view name) { return renamed(name, kSystems, kMeantSystems); }

}  // namespace analytics
