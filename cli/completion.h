#pragma once

#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace analytics::cli {

struct CommandPlace;

/// The kinds of names that the server can list.
enum class NameKind { kSites, kGoals, kImports, kExclusions, kLinks };

/// A name and what it is, for shells that show it.
struct Candidate {
  std::string word;
  std::string note;
};

/// Asks the server; returns nothing when it does not answer soon. `place` has the site and options.
using NameSource = std::function<std::vector<Candidate>(NameKind, const CommandPlace& place)>;

/// Candidates for the word under the cursor. `words` are the words after the program's name; the
/// last one is the word under the cursor and may be empty.
struct Completions {
  std::vector<Candidate> candidates;
  bool files = false;  ///< Names of files too, which the shell finds.
};
[[nodiscard]] Completions complete(const CLI::App& root, const std::vector<std::string>& words,
                                   const NameSource& names);

/// Implements `analytics __complete WHAT …`, which the completion scripts call: `words WORD…`
/// prints one candidate per line, with its note after a tab, and ":files" where file names may
/// follow; `flags` and `commands` print all of them.
void print_completions(const std::vector<std::string>& arguments, std::ostream& out);

}  // namespace analytics::cli
