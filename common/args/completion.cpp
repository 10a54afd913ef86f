#include "common/args/completion.h"

#include <ostream>
#include <set>
#include <span>

#include <CLI/CLI.hpp>

#include "common/args/command_place.h"
#include "common/text/text.h"

namespace analytics {
namespace {

/// Returns the command's own options and the global ones. Leaves out the options of a parent
/// command, because not all of them apply to the command ('replay check').
std::vector<Candidate> options_of(const CLI::App& root, const CLI::App& command,
                                  const ValueCompletions& values) {
  std::vector<Candidate> options;
  for (const auto& [name, option] : long_options(command)) {
    options.push_back({name, option->get_description()});
  }
  if (&command == &root) return options;
  for (const auto& [name, option] : long_options(root)) {
    const bool is_shown = name != "--help" && values.is_for(*option, command);
    if (is_shown) options.push_back({name, option->get_description()});
  }
  return options;
}

Completions complete_argument(const CommandPlace& place, const ValueCompletions& values) {
  std::size_t index = 0;
  for (const auto* option : place.command->get_options()) {
    if (!option->get_positional()) continue;
    if (option->get_expected_max() > 1 || index++ == place.arguments.size()) {
      return values.of_argument(place, *option);
    }
  }
  return {};
}

Completions complete(const CLI::App& root, const std::vector<std::string>& words,
                     const ValueCompletions& values) {
  auto cursor = words.empty() ? std::string() : words.back();
  const auto before = std::span(words).first(words.empty() ? 0 : words.size() - 1);
  auto place = find_place(root, before);
  if (cursor == "=" && place.open != nullptr) cursor.clear();
  if (place.open != nullptr) return values.of_option(place, *place.open, cursor);
  if (cursor.starts_with("--") && cursor.find('=') != std::string::npos) {
    const auto equals = cursor.find('=');
    const auto name = cursor.substr(0, equals);
    const auto* option = find_option(*place.command, name);
    if (option == nullptr || !takes_value(*option)) return {};
    auto found = values.of_option(place, *option, cursor.substr(equals + 1));
    for (auto& candidate : found.candidates) candidate.word.insert(0, name + "=");
    return found;
  }
  if (cursor.starts_with('-')) return {options_of(root, *place.command, values), false};
  if (!place.unknown_command.empty()) return {};
  Completions found = complete_argument(place, values);
  if (!place.arguments.empty()) return found;
  for (const auto* inner : place.command->get_subcommands({})) {
    found.candidates.push_back({inner->get_name(), inner->get_description()});
  }
  return found;
}

void collect_flags(const CLI::App& app, std::set<std::string>& flags) {
  for (const auto& [name, option] : long_options(app)) flags.insert(name);
  for (const auto* inner : app.get_subcommands({})) collect_flags(*inner, flags);
}

void print_commands(const CLI::App& app, const std::string& before, std::ostream& out) {
  for (const auto* inner : app.get_subcommands({})) {
    const auto words = before + inner->get_name();
    out << words << '\n';
    print_commands(*inner, words + " ", out);
  }
}

void print_words(const CLI::App& root, const std::vector<std::string>& words,
                 const ValueCompletions& values, std::ostream& out) {
  const auto found = complete(root, words, values);
  const auto cursor = words.empty() || words.back() == "=" ? std::string() : words.back();
  for (const auto& [word, note] : found.candidates) {
    if (!word.starts_with(cursor)) continue;
    out << visible(word);
    if (!note.empty()) out << '\t' << visible(note);
    out << '\n';
  }
  if (found.files) out << ":files\n";
}

}  // namespace

void print_completions(const CLI::App& root, const std::vector<std::string>& arguments,
                       const ValueCompletions& values, std::ostream& out) {
  const auto what = arguments.empty() ? std::string() : arguments.front();
  if (what == "flags") {
    std::set<std::string> flags;
    collect_flags(root, flags);
    for (const auto& flag : flags) out << flag << '\n';
  } else if (what == "commands") {
    print_commands(root, "", out);
  } else if (what == "words") {
    print_words(root, {arguments.begin() + 1, arguments.end()}, values, out);
  }
}

}  // namespace analytics
