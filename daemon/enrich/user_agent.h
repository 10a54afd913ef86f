#pragma once

#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/run/result.h"
#include "daemon/enrich/bot_rules.h"
#include "daemon/enrich/regex_list.h"
#include "daemon/model/client.h"

namespace analytics {

/// Properties of a sender according to its User-Agent.
struct UserAgent {
  Client client;
  bool is_sure_of_device = true;  ///< False if the screen's width should decide.
  bool may_be_tablet = false;     ///< True for a phone that is a tablet if its screen is wide.
  std::string bot;                ///< Readable reason why the sender is a bot; empty if it is not.
};

/// Reads User-Agents with the expressions of uap-core (https://github.com/ua-parser/uap-core)
/// following its docs/specification.md: the first expression of a list that matches is used, and
/// its groups give the values that have no replacement. Immutable; any thread.
class UserAgentRules {
 public:
  /// Creates rules that recognise devices and certain bots, but no browsers or systems.
  UserAgentRules() = default;
  /// Reads a regexes.yaml. Errors: kInvalidParameter with the problem and its place.
  static Result<UserAgentRules> load(const std::filesystem::path& file);

  [[nodiscard]] UserAgent read(std::string_view user_agent) const;

  /// A family and its version, as uap-core's tests name them; empty if unknown.
  struct Family {
    std::string name, major, minor;
  };
  /// Return uap-core's names; read() returns the names shown in statistics.
  [[nodiscard]] Family browser(std::string_view user_agent) const;
  [[nodiscard]] Family system(std::string_view user_agent) const;

 private:
  /// A list of rules in the file.
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
  Rules newer_browsers_;  ///< Our own rules, which come before those of the file.
  Rules newer_systems_;
  Rules browsers_;
  Rules systems_;
  /// The expressions of devices, compiled on first use. They are most of the file and only needed
  /// to confirm a spider.
  struct Devices {
    std::vector<std::pair<std::string, bool>> sources;  ///< Expressions; true if case is ignored.
    std::vector<Rules::Replacements> replacements;
    std::once_flag is_ready;
    Rules rules;
    [[nodiscard]] Family find(std::string_view text);
  };
  std::unique_ptr<Devices> devices_ = std::make_unique<Devices>();
  RegexList spiders_;  ///< Device expressions that name bots: few, and tried first.
};

}  // namespace analytics
