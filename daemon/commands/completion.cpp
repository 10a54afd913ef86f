#include "daemon/commands/completion.h"

#include <CLI/CLI.hpp>

#include "common/args/completion.h"
#include "common/text/text.h"
#include "common/wire/api_types.h"
#include "daemon/commands/args.h"

namespace analytics {
namespace {

bool takes_file(const CLI::Option& option) { return option.get_type_name() == "FILE"; }

Completions complete_value(const CommandPlace&, const CLI::Option& option, const std::string&) {
  const auto name = option.get_lnames().front();
  Completions found;
  found.files = takes_file(option);
  if (name == "output") found.candidates = {{"text", ""}, {"json", ""}};
  if (name == "scope") {
    const auto scopes = scope_list(kAllScopes);
    for (const auto scope : split(scopes, ','))
      found.candidates.push_back({std::string(scope), ""});
  }
  return found;
}

Completions complete_argument(const CommandPlace&, const CLI::Option& argument) {
  return {{}, takes_file(argument)};
}

/// Returns true if this option of the root command has an effect on the subcommand. Most options of
/// the root command are settings that only `serve` uses.
bool is_for(const CLI::Option& option, const CLI::App& command) {
  const auto name = option.get_lnames().front();
  return command.get_name() == "serve" || name == "db" || name == "config";
}

}  // namespace

void print_completions(const std::vector<std::string>& arguments, std::ostream& out) {
  Arguments filled;
  CLI::App root("", "analyticsd");
  add_commands(root, filled);
  print_completions(root, arguments, {complete_value, complete_argument, is_for}, out);
}

}  // namespace analytics
