#include "daemon/enrich/user_agent.h"

#include <algorithm>
#include <array>

#include <yaml-cpp/yaml.h>

#include "common/io/fs.h"
#include "common/text/text.h"
#include "daemon/enrich/device_class.h"
#include "daemon/enrich/newer_rules.h"
#include "daemon/model/names/client_names.h"

namespace analytics {
namespace {

// Number of bytes of a User-Agent that are read; the rest is ignored.
constexpr std::size_t kMaxRead = 1'024;
constexpr std::string_view kSpider = "Spider";
constexpr std::string_view kNoFamily = "Other";

std::string text_of(const YAML::Node& rule, const char* key) {
  const auto node = rule[key];
  return node ? node.as<std::string>() : std::string();
}

bool has_any_case(const YAML::Node& rule) { return text_of(rule, "regex_flag") == "i"; }

/// Returns a replacement with its placeholders `$1` to `$9` filled in.
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

/// Key of a list in regexes.yaml, and the keys of the replacements in its rules; an empty key
/// stands for no replacement.
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

Result<UserAgentRules> UserAgentRules::load(const std::filesystem::path& file) {
  const auto refuse = [&](const std::string& problem) {
    return fail(ErrorCode::kInvalidParameter, file.string() + ": " + problem);
  };
  const auto text = TRY(read_file(file));
  try {
    const auto document = YAML::Load(text);
    UserAgentRules all;
    const auto list_of = [&](const Keys& keys) -> Result<YAML::Node> {
      auto list = document[keys.list];
      if (list && list.IsSequence() && list.size() > 0) return list;
      return refuse(std::string("has no list ") + keys.list);
    };
    for (const auto& [keys, rules] :
         {std::pair{&kBrowserKeys, &all.browsers_}, {&kSystemKeys, &all.systems_}}) {
      const auto list = TRY(list_of(*keys));
      for (const auto& rule : list) {
        const auto problem = rules->regexes.add(text_of(rule, "regex"), has_any_case(rule));
        if (!problem.empty()) {
          return refuse("line " + std::to_string(rule.Mark().line + 1) + ": " + problem);
        }
        rules->replacements.push_back(
            {text_of(rule, keys->name), text_of(rule, keys->major), text_of(rule, keys->minor)});
      }
      rules->regexes.compile();
    }
    const auto devices = TRY(list_of(kDeviceKeys));
    for (const auto& rule : devices) {
      const auto name = text_of(rule, kDeviceKeys.name);
      if (name == kSpider) all.spiders_.add(text_of(rule, "regex"), has_any_case(rule));
      all.devices_->sources.emplace_back(text_of(rule, "regex"), has_any_case(rule));
      all.devices_->replacements.push_back({name, "", ""});
    }
    all.spiders_.compile();
    const auto add = [](Rules& rules, std::span<const NewerRule> newer) {
      for (const auto& [regex, name, major, minor] : newer) {
        (void)rules.regexes.add(regex, false);
        rules.replacements.push_back({name, major, minor});
      }
      rules.regexes.compile();
    };
    add(all.newer_browsers_, newer_browser_rules());
    add(all.newer_systems_, newer_system_rules());
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
  return family.name == kNoFamily ? Family{} : family;
}

UserAgentRules::Family UserAgentRules::browser(std::string_view user_agent) const {
  auto family = newer_browsers_.find(user_agent);
  if (!family.name.empty()) return family;
  family = browsers_.find(user_agent);
  constexpr std::string_view kBot = "bot";
  const auto at = user_agent.find(family.name);
  if (at == user_agent.npos || !ascii_lower(family.name).ends_with(kBot)) return family;
  if (contains_any(without_phone_model(user_agent), std::array{family.name})) return family;
  // The rules mistook the name of a phone for a bot. Hides "bot" in the name and reads again.
  std::string text(user_agent);
  text.replace(at + family.name.size() - kBot.size(), kBot.size(), "___");
  return browsers_.find(text);
}

UserAgentRules::Family UserAgentRules::system(std::string_view user_agent) const {
  auto family = newer_systems_.find(user_agent);
  return family.name.empty() ? systems_.find(user_agent) : family;
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
  auto [is_library, reason] = bots_.judge(user_agent);
  if (is_library || !reason.empty()) return reason;
  // Both the expressions for spiders and the whole list must give a spider: a phone called "Spider"
  // is no spider, nor is a device for which an earlier rule of the list matches.
  const bool is_spider = spiders_.first_match(without_phone_model(user_agent)) &&
                         devices_->find(user_agent).name == kSpider;
  return is_spider ? "a spider of uap-core" : std::string();
}

UserAgent UserAgentRules::read(std::string_view user_agent) const {
  const auto text = user_agent.substr(0, kMaxRead);
  UserAgent result;
  result.bot = find_bot(text);
  auto& client = result.client;
  const auto guess = result.bot.empty() ? device_class(text) : DeviceGuess{device::kBot};
  client.device = guess.device;
  result.is_sure_of_device = guess.is_sure;
  result.may_be_tablet = guess.may_be_tablet;
  auto browser = this->browser(text);
  auto system = this->system(text);
  client.browser_version = version_text(browser);
  client.os_version = version_text(system);
  client.browser = std::move(browser.name);
  client.os = std::move(system.name);
  client.browser = shown_browser(client.browser);
  client.os = shown_os(client.os);
  for (auto* part : {&client.browser, &client.browser_version, &client.os, &client.os_version}) {
    *part = repair_utf8(*part);
  }
  return result;
}

}  // namespace analytics
