#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cli/frame/exit_code.h"

namespace analytics::cli {

enum class OutputForm { kText, kJson, kCsv, kNdjson, kHtml };

/// How to read an environment variable; tests pass their own.
using Environment = std::function<std::optional<std::string>(const std::string&)>;
[[nodiscard]] std::optional<std::string> read_environment(const std::string& name);

struct Settings {
  std::string url;
  std::string api_key;  ///< A secret: never printed.
  OutputForm output = OutputForm::kText;
  std::string progress = "auto";
  std::chrono::milliseconds connect_timeout{};
  std::chrono::milliseconds timeout{};
  int retries = 0;
  std::string cacert;
  bool insecure = false;
  bool allow_http = false;
  bool no_input = false;
  bool no_color = false;
  bool force_color = false;  ///< CLICOLOR_FORCE: colour without a terminal too.

  // Only from the command line.
  bool quiet = false;
  bool verbose = false;
  bool debug_http = false;
  bool dry_run = false;

  /// Every setting by name: its text (the key cut to its prefix) and where it came from.
  struct Origin {
    std::string value;
    std::string source;
  };
  std::map<std::string, Origin> origins;
  /// Problems that the user should know of but that do not stop the command.
  std::vector<std::string> warnings;
};

/// Values of settings by their file name, as given on the command line.
using Flags = std::map<std::string, std::string>;

/// flag > environment > profile > user's file > system file > default. `input` is read when the key
/// comes from "-". Failures: kSetup, naming the file or variable.
[[nodiscard]] Outcome<Settings> load_settings(const Flags& flags, const Environment& environment,
                                              std::istream& input);

/// The form of what is said before there are settings, or without them: as load_settings() would
/// find it, but that what is wrong with files is left to it.
[[nodiscard]] OutputForm early_form(const Flags& flags, const Environment& environment);

/// A setting: its name in files, its environment variables, its default.
struct SettingInfo {
  std::string name;
  std::vector<std::string> variables;
  std::string fallback;
};
[[nodiscard]] const std::vector<SettingInfo>& setting_infos();

}  // namespace analytics::cli
