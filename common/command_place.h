#pragma once

#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace analytics {

/// The place in the command tree that a command line leads to. Nothing is validated: error messages
/// and completion need this for wrong and unfinished lines.
struct CommandPlace {
  const CLI::App* command = nullptr;   ///< The innermost command that is named.
  const CLI::Option* open = nullptr;   ///< The option whose value would be the next word.
  std::vector<std::string> arguments;  ///< Words that are neither command, option nor value.
  std::map<std::string, std::string>
      values;                   ///< Option values by long option name, without dashes.
  std::string unknown_command;  ///< The first word that should name a command but does not.
  std::string unknown_option;
};
/// REQUIRES: `words` are those behind the program's name; `root` outlives the answer.
[[nodiscard]] CommandPlace find_place(const CLI::App& root, std::span<const std::string> words);

/// The option of that name, such as "--site" or "-o", of the command or one around it; else null.
[[nodiscard]] const CLI::Option* find_option(const CLI::App& command, const std::string& name);
[[nodiscard]] bool takes_value(const CLI::Option& option);
/// The command's own options, each long name as "--name" with the option it belongs to.
[[nodiscard]] std::vector<std::pair<std::string, const CLI::Option*>> long_options(
    const CLI::App& command);

}  // namespace analytics
