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

/// A word that may follow and what it is, for shells that show it.
struct Candidate {
  std::string word;
  std::string note;
};

struct Completions {
  std::vector<Candidate> candidates;
  bool files = false;  ///< Names of files too, which the shell finds.
};

/// Completes values of a program: of its options and arguments.
struct ValueCompletions {
  /// `begun` is what was typed of the value.
  std::function<Completions(const CommandPlace&, const CLI::Option&, const std::string& begun)>
      of_option;
  std::function<Completions(const CommandPlace&, const CLI::Option& argument)> of_argument;
  /// True if an option of the whole program means something for a command.
  std::function<bool(const CLI::Option&, const CLI::App& command)> is_for;
};

/// Implements `PROGRAM __complete WHAT …`, which the completion scripts call: `words WORD…` prints
/// one candidate per line for the last of these words, which may be empty, with its note after a
/// tab, and ":files" where file names may follow; `flags` and `commands` print all of them.
/// `arguments` begin with WHAT.
void print_completions(const CLI::App& root, const std::vector<std::string>& arguments,
                       const ValueCompletions& values, std::ostream& out);

}  // namespace analytics
