#pragma once

#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/result.h"
#include "daemon/enrich/bot_rules.h"
#include "daemon/enrich/regex_list.h"
#include "daemon/model/client.h"

namespace analytics {

/// The sender's properties according to its User-Agent.
struct UserAgent {
  Client client;
  bool is_sure_of_device = true;  ///< Else the width of the screen knows better.
  bool may_be_tablet = false;     ///< Some tablets say that they are phones; their screens do not.
  std::string bot;                ///< Why it is taken for a bot, for people; empty: it is not.
};

/// Reads User-Agents by the expressions of uap-core (https://github.com/ua-parser/uap-core), whose
/// rules (docs/specification.md there) it follows: the first expression of a list that matches
/// counts, and its groups stand for what has no replacement. Immutable; any thread.
class UserAgentRules {
 public:
  /// Knows no browser and no system, but devices and what is surely a bot.
  UserAgentRules() = default;
  /// Reads a regexes.yaml. Errors: kInvalidParameter with what is wrong where.
  static Result<UserAgentRules> load(const std::filesystem::path& file);

  [[nodiscard]] UserAgent read(std::string_view user_agent) const;

  /// A family with its version, as uap-core's own tests name them; empty when unknown.
  struct Family {
    std::string name, major, minor;
  };
  /// The names are uap-core's; read() gives those that are shown.
  [[nodiscard]] Family browser(std::string_view user_agent) const;
  [[nodiscard]] Family system(std::string_view user_agent) const;

 private:
  /// One of the lists of the file.
  struct Rules {
    struct Replacements {
      std::string name, major, minor;
    };
    RegexList regexes;
    std::vector<Replacements> replacements;  ///< In the order of the expressions.
    [[nodiscard]] Family find(std::string_view text) const;
  };
  [[nodiscard]] std::string find_bot(std::string_view user_agent) const;

  BotRules bots_;
  Rules newer_browsers_;  ///< Ours, asked before those of the file.
  Rules newer_systems_;
  Rules browsers_;
  Rules systems_;
  /// The expressions of devices. Most of the file, and only asked about what may be a spider: made
  /// ready when they are first needed.
  struct Devices {
    std::vector<std::pair<std::string, bool>> sources;  ///< The expressions; true: case is ignored.
    std::vector<Rules::Replacements> replacements;
    std::once_flag is_ready;
    Rules rules;
    [[nodiscard]] Family find(std::string_view text);
  };
  std::unique_ptr<Devices> devices_ = std::make_unique<Devices>();
  RegexList spiders_;  ///< Those of devices that stand for bots: few, and asked first.
};

}  // namespace analytics
