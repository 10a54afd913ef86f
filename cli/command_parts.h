#pragma once

#include <functional>
#include <string>

#include "cli/command_tree.h"

/// Helpers that describe commands to CLI11.
namespace analytics::cli {

/// Adds a required option whose value must not be empty.
void required(CLI::App& app, const char* name, std::string& value, const char* text,
              const char* type);

/// Adds a command. `options` must outlive `parent`.
CLI::App& command(CLI::App& parent, Options& options, const char* name, const char* text,
                  const char* examples, const std::function<Outcome<ExitCode>(Context&)>& run);

/// Adds a group of commands, such as "sites".
CLI::App& noun(CLI::App& parent, const char* name, const char* text);

/// Adds `links` and its commands.
void add_links(CLI::App& root, Options& options);

/// Adds `report`, `alerts` and `watch`.
void add_reports(CLI::App& root, Options& options);

/// Adds `replay` and `replay check`.
void add_replay(CLI::App& root, Options& options);

}  // namespace analytics::cli
