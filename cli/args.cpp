#include "cli/args.h"

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <set>

#include <CLI/CLI.hpp>

#include "cli/command_tree.h"
#include "cli/output.h"
#include "common/text.h"
#include "common/version.h"

namespace analytics::cli {
namespace {

/// Help with the examples (kept as the footer) in front.
class ExamplesFirst : public CLI::Formatter {
 public:
  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override {
    std::string examples = app->get_footer();
    if (!examples.empty()) examples = "Examples:\n" + examples + "\n";
    return examples + CLI::Formatter::make_help(app, std::move(name), mode);
  }
  std::string make_footer(const CLI::App*) const override { return {}; }
};

void collect_flags(const CLI::App& app, std::set<std::string>& flags) {
  for (const auto* option : app.get_options()) {
    for (const auto& name : option->get_lnames()) flags.insert("--" + name);
  }
  for (const auto* inner : app.get_subcommands({})) collect_flags(*inner, flags);
}

void print_commands(const CLI::App& app, const std::string& before, std::ostream& out) {
  for (const auto* inner : app.get_subcommands({})) {
    const auto words = before + inner->get_name();
    out << words << '\n';
    print_commands(*inner, words + " ", out);
  }
}

/// `__complete flags|commands`: for shells and tests.
void print_completions(const CLI::App& root, const std::string& what, std::ostream& out) {
  if (what == "flags") {
    std::set<std::string> flags;
    collect_flags(root, flags);
    for (const auto& flag : flags) out << flag << '\n';
  } else if (what == "commands") {
    print_commands(root, "", out);
  }
}

/// Whether errors are to be JSON, told before the arguments are understood.
bool wants_json(int argc, const char* const* argv) {
  const char* variable = std::getenv("ANALYTICS_OUTPUT");
  bool json = variable != nullptr && std::string_view(variable) == "json";
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    const std::string_view next = i + 1 < argc ? argv[i + 1] : "";
    if (word == "--json" || word == "-ojson" || word == "--output=json") json = true;
    if (word == "-o" || word == "--output") json = next == "json";
  }
  return json;
}

/// Whether the word is an option whose value is the word behind it.
bool takes_next_word(const CLI::App& app, const std::string& word) {
  if (!word.starts_with('-') || word.find('=') != std::string::npos) return false;
  for (const auto* at = &app; at != nullptr; at = at->get_parent()) {
    const auto* option = at->get_option_no_throw(word);
    if (option != nullptr) return option->get_expected_max() > 0;
  }
  return false;
}

/// The known name nearest to what was typed, among the commands at that place; empty when none is
/// near.
std::string nearest_command(const CLI::App& root, int argc, const char* const* argv) {
  const auto* app = &root;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (takes_next_word(*app, word)) ++i;
    if (word.starts_with('-')) continue;
    const auto inner = app->get_subcommands({});
    if (inner.empty()) return {};
    const CLI::App* next = nullptr;
    std::string best;
    std::size_t distance = 4;
    for (const auto* candidate : inner) {
      if (candidate->get_name() == word) next = candidate;
      const auto edits = edit_distance(word, candidate->get_name());
      if (edits < distance) {
        distance = edits;
        best = candidate->get_name();
      }
    }
    if (next == nullptr) return best;
    app = next;
  }
  return {};
}

Flags gather_flags(const CLI::App& root, const Options& options) {
  static const std::map<std::string, std::string> kNames = {
      {"--server", "url"},
      {"--api-key-file", "api_key_file"},
      {"--config", "config"},
      {"--profile", "profile"},
      {"--output", "output"},
      {"--progress", "progress"},
      {"--connect-timeout", "connect_timeout"},
      {"--timeout", "timeout"},
      {"--retries", "retries"},
      {"--cacert", "cacert"}};
  Flags flags;
  for (const auto& [flag, key] : kNames) {
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
  root.formatter(std::make_shared<ExamplesFirst>());
  root.set_version_flag("--version", std::string("analytics ") + kVersion);
  root.require_subcommand(1);
  root.footer(
      "  analytics sites create example.com\n  analytics replay --site example.com access.log.gz");
  add_commands(root, *options);
  if (argc == 3 && std::string_view(argv[1]) == "__complete") {
    print_completions(root, argv[2], out);
    return {std::nullopt, ExitCode::kOk};
  }
  options->replay.command_line.assign(argv, argv + argc);
  try {
    root.parse(argc, argv);
  } catch (const CLI::Success& done) {
    root.exit(done, out, err);
    return {std::nullopt, ExitCode::kOk};
  } catch (const CLI::ParseError& error) {
    std::string message = error.what();
    const bool command_missing =
        error.get_name() == "RequiredError" || error.get_name() == "ExtrasError";
    const auto near = command_missing ? nearest_command(root, argc, argv) : "";
    if (!near.empty()) message += ". Did you mean '" + near + "'?";
    if (std::any_of(argv, argv + argc, [](const char* word) {
          return std::string_view(word).starts_with("--api-key=") ||
                 std::string_view(word) == "--api-key";
        })) {
      message =
          "a key on the command line would show in ps: use --api-key-file or ANALYTICS_API_KEY";
    }
    const auto form = wants_json(argc, argv) ? OutputForm::kJson : OutputForm::kText;
    print_failure(err, {ExitCode::kUsage, message, "usage", 0, {}}, form);
    if (form == OutputForm::kText) err << "Try 'analytics --help'.\n";
    return {std::nullopt, ExitCode::kUsage};
  }
  auto invocation = options->invocation;
  invocation.flags = gather_flags(root, *options);
  invocation.command = [options, run = options->invocation.command](Context& context) {
    return run(context);
  };
  return {std::move(invocation), ExitCode::kOk};
}

}  // namespace analytics::cli
