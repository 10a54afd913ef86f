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

/// The place in the command tree that a command line leads to. The line is not validated, because
/// error messages and completion also need the place in wrong and unfinished lines.
struct CommandPlace {
  const CLI::App* command = nullptr;  ///< The innermost command that the line names.
  /// Option that takes the next word as its value; null if none does.
  const CLI::Option* open = nullptr;
  std::vector<std::string> arguments;  ///< Words that are not commands, options or option values.
  /// Option values; the key is the option's long name without dashes.
  std::map<std::string, std::string> values;
  std::string unknown_command;  ///< First word that should name a command but does not.
  std::string unknown_option;
};
/// Finds the place that a command line leads to. REQUIRES: `words` excludes the program's name;
/// `root` outlives the result.
[[nodiscard]] CommandPlace find_place(const CLI::App& root, std::span<const std::string> words);

/// Returns the option with that name, such as "--site" or "-o", of the command or one of its
/// parents; null if there is no such option.
[[nodiscard]] const CLI::Option* find_option(const CLI::App& command, const std::string& name);
[[nodiscard]] bool takes_value(const CLI::Option& option);
/// Returns the command's own options as pairs of a long name ("--name") and its option.
[[nodiscard]] std::vector<std::pair<std::string, const CLI::Option*>> long_options(
    const CLI::App& command);

}  // namespace analytics
