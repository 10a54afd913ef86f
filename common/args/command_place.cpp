#include "common/args/command_place.h"

#include <CLI/CLI.hpp>

namespace analytics {
namespace {

void take_option(CommandPlace& place, const std::string& word) {
  const auto equals = word.find('=');
  const bool is_long = word.starts_with("--");
  // A short option may be followed directly by its value or by other short options.
  const auto name = is_long ? word.substr(0, equals) : word.substr(0, 2);
  const auto* option = find_option(*place.command, name);
  if (option == nullptr) {
    if (place.unknown_option.empty()) place.unknown_option = name;
    return;
  }
  if (!takes_value(*option)) return;
  if (is_long && equals != std::string::npos) {
    place.values[option->get_lnames().front()] = word.substr(equals + 1);
  } else if (is_long || word.size() == 2) {
    place.open = option;
  }
}

const CLI::App* find_command(const CLI::App& parent, const std::string& name) {
  for (const auto* inner : parent.get_subcommands({})) {
    if (inner->get_name() == name) return inner;
  }
  return nullptr;
}

}  // namespace

const CLI::Option* find_option(const CLI::App& command, const std::string& name) {
  for (const auto* at = &command; at != nullptr; at = at->get_parent()) {
    if (const auto* option = at->get_option_no_throw(name)) return option;
  }
  return nullptr;
}

std::vector<std::pair<std::string, const CLI::Option*>> long_options(const CLI::App& command) {
  std::vector<std::pair<std::string, const CLI::Option*>> all;
  for (const auto* option : command.get_options()) {
    for (const auto& name : option->get_lnames()) all.emplace_back("--" + name, option);
  }
  return all;
}

bool takes_value(const CLI::Option& option) { return option.get_expected_max() > 0; }

CommandPlace find_place(const CLI::App& root, std::span<const std::string> words) {
  CommandPlace place;
  place.command = &root;
  bool only_arguments = false;  // true after "--": all further words are arguments
  for (const auto& word : words) {
    if (place.open != nullptr) {
      if (word == "=") continue;  // bash passes `--site=a` as three words
      place.values[place.open->get_lnames().front()] = word;
      place.open = nullptr;
    } else if (!only_arguments && word == "--") {
      only_arguments = true;
    } else if (!only_arguments && word.size() > 1 && word.front() == '-') {
      take_option(place, word);
      // An option after an unknown command is unknown only because of that word.
      if (!place.unknown_command.empty()) place.unknown_option.clear();
    } else if (const auto* inner =
                   place.arguments.empty() ? find_command(*place.command, word) : nullptr) {
      place.command = inner;
    } else {
      const bool wants_command = place.command->get_require_subcommand_min() > 0;
      if (wants_command && place.unknown_command.empty()) place.unknown_command = word;
      place.arguments.push_back(word);
    }
  }
  return place;
}

}  // namespace analytics
