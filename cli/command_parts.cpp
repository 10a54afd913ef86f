#include "cli/command_parts.h"

#include <CLI/CLI.hpp>

#include "common/text/text.h"

namespace analytics::cli {
namespace {

/// Rejects an empty value, such as a script's unset variable, and "." and "..", which have a
/// special meaning in the path of a URL (RFC 3986).
const CLI::Validator kNotEmpty(
    [](std::string& text) {
      const auto name = trim(text);
      return name.empty() || name == "." || name == ".."
                 ? std::string("must not be empty, \".\" or \"..\"")
                 : "";
    },
    "");

}  // namespace

void required(CLI::App& app, const char* name, std::string& value, const char* text,
              const char* type) {
  app.add_option(name, value, text)->required()->check(kNotEmpty)->type_name(type);
}

CLI::App& command(CLI::App& parent, Options& options, const char* name, const char* text,
                  const char* examples, const std::function<Outcome<ExitCode>(Context&)>& run) {
  auto& app = *parent.add_subcommand(name, text);
  app.fallthrough();
  app.footer(examples);
  app.callback([&options, run] { options.invocation.command = run; });
  return app;
}

CLI::App& noun(CLI::App& parent, const char* name, const char* text) {
  auto& app = *parent.add_subcommand(name, text);
  app.fallthrough();
  app.require_subcommand(1);
  app.footer("");  // otherwise CLI11 would show the examples of the root command
  return app;
}

}  // namespace analytics::cli
