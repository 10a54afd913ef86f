#include "cli/args.h"

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>

#include "cli/command_tree.h"
#include "cli/frame/output.h"
#include "common/args/command_place.h"
#include "common/args/help_formatter.h"
#include "common/text/text.h"

namespace analytics::cli {
namespace {

/// Returns the flags that determine the form of error messages. Used if the arguments cannot be
/// parsed.
Flags flags_of_form(const std::vector<std::string>& words) {
  Flags flags;
  for (auto word = words.begin(); word != words.end(); ++word) {
    if (*word == "--json") flags["output"] = "json";
    if (word->starts_with("-o") && word->size() > 2) flags["output"] = word->substr(2);
    const auto next = word + 1 == words.end() ? std::string() : *(word + 1);
    if (*word == "-o") flags["output"] = next;
    for (const std::string name : {"output", "config", "profile"}) {
      if (*word == "--" + name) flags[name] = next;
      if (word->starts_with("--" + name + "=")) flags[name] = word->substr(name.size() + 3);
    }
  }
  return flags;
}

/// Returns ". Did you mean 'x'?" with the nearest name; empty if no name is near.
std::string suggestion(const std::string& typed, const std::vector<std::string>& names) {
  std::string best;
  std::size_t distance = 4;
  for (const auto& name : names) {
    const auto edits = edit_distance(typed, name);
    if (edits >= distance) continue;
    distance = edits;
    best = name;
  }
  return best.empty() ? "" : ". Did you mean '" + best + "'?";
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const auto* inner : app.get_subcommands({})) names.push_back(inner->get_name());
  return names;
}

std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const auto* at = &command; at != nullptr; at = at->get_parent()) {
    for (const auto& [name, option] : long_options(*at)) names.push_back(name);
  }
  return names;
}

/// Returns the message for a parse error. It names the wrong word if there is one.
std::string message_of(const CLI::ParseError& error, const CommandPlace& place) {
  const auto& option = place.unknown_option;
  if (option == "--api-key") {
    return "a key on the command line is visible in ps: use --api-key-file or ANALYTICS_API_KEY";
  }
  if (!option.empty()) {
    return "unknown option \"" + option + "\"" + suggestion(option, option_names(*place.command));
  }
  const bool wants_command = place.command->get_require_subcommand_min() > 0;
  if (wants_command && !place.arguments.empty()) {
    return "unknown command \"" + place.unknown_command + "\"" +
           suggestion(place.unknown_command, command_names(*place.command));
  }
  if (wants_command && dynamic_cast<const CLI::RequiredError*>(&error) != nullptr) {
    return place.command->get_name() + " requires one of " +
           join(command_names(*place.command), ", ");
  }
  return error.what();
}

/// Returns the words that name the command, for "Try '… --help'".
std::string path_of(const CLI::App& command) {
  const auto* parent = command.get_parent();
  return parent == nullptr ? command.get_name() : path_of(*parent) + " " + command.get_name();
}

Flags gather_flags(const CLI::App& root, const Options& options) {
  Flags flags;
  for (const auto& [flag, key] : setting_options()) {
    if (root.get_option(flag)->count() > 0) flags[key] = options.values.at(key);
  }
  for (const auto& [key, on] : options.switches) {
    if (!on) continue;
    if (key == "json") {
      flags["output"] = "json";
    } else {
      flags[key] = "true";
    }
  }
  return flags;
}

}  // namespace

ParsedArguments parse_arguments(int argc, const char* const* argv, std::ostream& out,
                                std::ostream& err) {
  auto options = std::make_shared<Options>();
  CLI::App root("analytics: provision sites and send events to analyticsd", "analytics");
  root.formatter(std::make_shared<HelpFormatter>());
  root.footer(
      "  analytics sites create example.com\n  analytics replay --site example.com access.log.gz");
  add_commands(root, *options);
  options->replay.command_line.assign(argv, argv + argc);
  try {
    root.parse(argc, argv);
  } catch (const CLI::Success& done) {
    root.exit(done, out, err);
    return {std::nullopt, ExitCode::kOk};
  } catch (const CLI::ParseError& error) {
    const std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
    const auto place = find_place(root, words);
    const bool names_nothing = place.arguments.empty() && place.unknown_option.empty();
    const bool is_command_missing = dynamic_cast<const CLI::RequiredError*>(&error) != nullptr;
    if (place.command == &root && is_command_missing && names_nothing && place.open == nullptr) {
      out << root.help();
      return {std::nullopt, ExitCode::kOk};
    }
    const auto form = early_form(flags_of_form(words), read_environment);
    print_failure(err, {ExitCode::kUsage, message_of(error, place), "usage", 0, {}}, form);
    if (form != OutputForm::kJson) err << "Try '" << path_of(*place.command) << " --help'.\n";
    return {std::nullopt, ExitCode::kUsage};
  }
  if (root.got_subcommand("help") && options->topic.empty()) {
    root.clear();  // otherwise root.help() returns the help of 'help'
    out << root.help();
    return {std::nullopt, ExitCode::kOk};
  }
  auto invocation = options->invocation;
  invocation.flags = gather_flags(root, *options);
  invocation.command = [options, run = options->invocation.command](Context& context) {
    return run(context);
  };
  return {std::move(invocation), ExitCode::kOk};
}

}  // namespace analytics::cli
