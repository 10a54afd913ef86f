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

/// Reads an environment variable; tests pass their own function.
using Environment = std::function<std::optional<std::string>(const std::string&)>;
[[nodiscard]] std::optional<std::string> read_environment(const std::string& name);

struct Settings {
  std::string url;
  std::string api_key;  ///< Secret that is never printed.
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
  bool force_color = false;  ///< True to use colour even without a terminal (CLICOLOR_FORCE).

  // Settings that only the command line can set.
  bool quiet = false;
  bool verbose = false;
  bool debug_http = false;
  bool dry_run = false;

  /// Text of a setting, and the place it came from. The API key is cut to its prefix.
  struct Origin {
    std::string value;
    std::string source;
  };
  std::map<std::string, Origin> origins;
  /// Problems that the user should know about but that do not stop the command.
  std::vector<std::string> warnings;
};

/// Settings from the command line; the key is a setting's name in files.
using Flags = std::map<std::string, std::string>;

/// Loads the settings. Their priority is flag > environment > profile > user's file > system file >
/// default. Reads the API key from `input` if its file is "-". Failures: kSetup or kUsage, naming
/// the file, variable or option.
[[nodiscard]] Outcome<Settings> load_settings(const Flags& flags, const Environment& environment,
                                              std::istream& input);

/// Returns the output form for messages before settings are loaded: the one that load_settings()
/// would find. Ignores errors in files, which load_settings() reports.
[[nodiscard]] OutputForm early_form(const Flags& flags, const Environment& environment);

/// A setting: its name in files, its environment variables, its default.
struct SettingInfo {
  std::string name;
  std::vector<std::string> variables;
  std::string fallback;
};
[[nodiscard]] const std::vector<SettingInfo>& setting_infos();

}  // namespace analytics::cli
