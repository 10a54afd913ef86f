#pragma once

#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace analytics {

struct CommandPlace;

/// A completion of the word being typed. `note` describes it, for shells that show descriptions.
struct Candidate {
  std::string word;
  std::string note;
};

struct Completions {
  std::vector<Candidate> candidates;
  bool files = false;  ///< True if file names may follow too; the shell lists them.
};

/// Functions that complete the values of a program's options and arguments.
struct ValueCompletions {
  /// Completes an option's value. `begun` contains the characters that are already typed.
  std::function<Completions(const CommandPlace&, const CLI::Option&, const std::string& begun)>
      of_option;
  /// Completes a positional argument.
  std::function<Completions(const CommandPlace&, const CLI::Option& argument)> of_argument;
  /// Returns true if a global option has an effect on the command.
  std::function<bool(const CLI::Option&, const CLI::App& command)> is_for;
};

/// Implements `PROGRAM __complete WHAT …`, which the completion scripts call: `words WORD…` prints
/// one candidate per line for the last word, which may be empty. Each candidate may have a note
/// after a tab; ":files" stands for file names. `flags` and `commands` print all flags and all
/// commands. `arguments` begins with WHAT.
void print_completions(const CLI::App& root, const std::vector<std::string>& arguments,
                       const ValueCompletions& values, std::ostream& out);

}  // namespace analytics
