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

/// Facts about a sender that its User-Agent reveals.
struct UserAgent {
  Client client;
  bool is_sure_of_device = true;  ///< False if the screen's width should decide.
  bool may_be_tablet = false;     ///< True for a phone that is a tablet if its screen is wide.
  std::string bot;                ///< Readable reason why the sender is a bot; empty if it is not.
};

/// Reads User-Agents with the regular expressions of uap-core
/// (https://github.com/ua-parser/uap-core) as its docs/specification.md says: the first expression
/// of a list that matches is used, and its groups give the values that have no replacement.
/// Immutable; any thread.
class UserAgentRules {
 public:
  /// Creates rules that recognise devices and certain bots, but no browsers or systems.
  UserAgentRules() = default;
  /// Loads a regexes.yaml of uap-core. Errors: those of read_file(); kInvalidParameter with the
  /// problem, and with its line if an expression is invalid.
  static Result<UserAgentRules> load(const std::filesystem::path& file);

  /// Returns the facts that a User-Agent reveals. Ignores bytes after the first 1,024.
  [[nodiscard]] UserAgent read(std::string_view user_agent) const;

  /// A browser or a system and its version, under uap-core's names; empty if unknown.
  struct Family {
    std::string name, major, minor;
  };
  /// Return the browser and the system under uap-core's names. read() returns the names that
  /// statistics show.
  [[nodiscard]] Family browser(std::string_view user_agent) const;
  [[nodiscard]] Family system(std::string_view user_agent) const;

 private:
  /// One of the lists in the file, such as that of browsers.
  struct Rules {
    struct Replacements {
      std::string name, major, minor;
    };
    RegexList regexes;
    /// Templates for the name and version that each expression of `regexes` yields; an empty
    /// template stands for its capture group.
    std::vector<Replacements> replacements;
    [[nodiscard]] Family find(std::string_view text) const;
  };
  [[nodiscard]] std::string find_bot(std::string_view user_agent) const;

  BotRules bots_;
  Rules newer_browsers_;  ///< Our own rules, tried before those of the file.
  Rules newer_systems_;
  Rules browsers_;
  Rules systems_;
  /// The rules for devices, compiled on first use. They are most of uap-core's file, and are needed
  /// only to confirm that a sender is a spider.
  struct Devices {
    /// Expressions, each with true if it ignores case.
    std::vector<std::pair<std::string, bool>> sources;
    std::vector<Rules::Replacements> replacements;
    std::once_flag is_ready;
    Rules rules;
    [[nodiscard]] Family find(std::string_view text);
  };
  std::unique_ptr<Devices> devices_ = std::make_unique<Devices>();
  RegexList spiders_;  ///< Device expressions that mean a spider; tried before `devices_`.
};

}  // namespace analytics
