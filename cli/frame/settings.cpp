#include "cli/frame/settings.h"

#include <cstdlib>
#include <filesystem>
#include <istream>
#include <iterator>

#include "common/io/config_file.h"
#include "common/io/fs.h"
#include "common/run/secret.h"
#include "common/text/text.h"
#include "common/text/time.h"
#include "common/text/url.h"

namespace analytics::cli {
namespace {

constexpr char kCommandLine[] = "command line";
constexpr char kSystemFile[] = "/etc/analytics/config.toml";

using Layer = std::map<std::string, Settings::Origin>;

bool is_setting(const std::string& name) {
  for (const auto& info : setting_infos()) {
    if (info.name == name) return true;
  }
  return false;
}

tl::unexpected<Failure> bad(const std::string& where, const std::string& what) {
  return give_up(ExitCode::kSetup, where + ": " + what, "invalid_config");
}

/// Reads a file's settings into `plain`, and those of the chosen profile into `profiled`. Returns
/// true if the file contains that profile.
Outcome<bool> read_layers(const std::filesystem::path& file, const std::string& profile,
                          Layer& plain, Layer& profiled) {
  const auto entries = read_config_file(file);
  if (!entries) return give_up(ExitCode::kSetup, entries.error().message, "invalid_config");
  bool has_profile = false;
  for (const auto& entry : *entries) {
    const auto where = file.string() + ":" + std::to_string(entry.line);
    auto name = entry.key;
    auto* layer = &plain;
    if (name.starts_with("profile.")) {
      const auto dot = name.find('.', 8);
      const bool chosen = dot != std::string::npos && name.substr(8, dot - 8) == profile;
      has_profile = has_profile || chosen;
      name = dot == std::string::npos ? "" : name.substr(dot + 1);
      if (!chosen && is_setting(name)) continue;
      layer = &profiled;
    }
    if (!is_setting(name)) return bad(where, "unknown setting " + entry.key);
    if (entry.is_list) return bad(where, entry.key + " takes one value");
    (*layer)[name] = {entry.values.front(), where};
  }
  return has_profile;
}

Outcome<Layer> read_files(const Flags& flags, const Environment& environment) {
  const auto pick = [&](const std::string& flag, const std::string& variable) {
    const auto found = flags.find(flag);
    return found != flags.end() ? std::optional(found->second) : environment(variable);
  };
  const auto profile = pick("profile", "ANALYTICS_PROFILE");
  const auto named = pick("config", "ANALYTICS_CONFIG");
  const auto home = environment("HOME").value_or("/");
  const auto base = environment("XDG_CONFIG_HOME").value_or(home + "/.config");
  const std::filesystem::path user = named.value_or(base + "/analytics/config.toml");
  Layer all;
  Layer profiled;
  bool has_profile = false;
  std::error_code ignored;
  for (const auto& file : {std::filesystem::path(kSystemFile), user}) {
    const bool must = named && file == user;
    if (std::filesystem::is_directory(file, ignored)) return bad(file.string(), "is a directory");
    if (!must && !std::filesystem::exists(file, ignored)) continue;
    Layer unused;
    const auto has_it =
        TRY(read_layers(file, profile.value_or(""), all, file == user ? profiled : unused));
    has_profile = has_profile || (file == user && has_it);
  }
  if (profile && !has_profile) return bad(user.string(), "has no profile " + *profile);
  for (auto& [name, origin] : profiled) all[name] = std::move(origin);
  return all;
}

/// Returns true for a regular file that other users can read. Pipes have no other readers.
bool others_can_read(const std::string& path) {
  std::error_code unknown;
  const auto status = std::filesystem::status(path, unknown);
  return !unknown && status.type() == std::filesystem::file_type::regular &&
         (status.permissions() & std::filesystem::perms::others_read) !=
             std::filesystem::perms::none;
}

Outcome<std::string> read_key_file(const std::string& path, std::istream& input) {
  if (path == "-") {
    std::string line;
    std::getline(input, line);
    return std::string(trim(line));
  }
  const auto text = read_file(path);
  if (!text) return give_up(ExitCode::kSetup, "API key: " + text.error().message, "no_key_file");
  return std::string(trim(*text));
}

/// Returns the API key from the option, variable or file with the highest priority; empty if none
/// of them is set.
Outcome<std::string> find_key(Settings& settings, const Flags& flags,
                              const Environment& environment, std::istream& input) {
  auto& origin = settings.origins["api_key_file"];
  const auto value = environment("ANALYTICS_API_KEY");
  const bool named_higher = flags.contains("api_key_file") || environment("ANALYTICS_API_KEY_FILE");
  std::string key;
  if (value && !named_higher) {
    key = trim(*value);
    origin.source = "ANALYTICS_API_KEY";
  } else if (!origin.value.empty()) {
    key = TRY(read_key_file(origin.value, input));
    if (key.empty()) return bad(origin.value, "contains no API key");
    if (others_can_read(origin.value)) {
      settings.warnings.push_back("every user of this machine can read the API key in " +
                                  origin.value + "; 'chmod 600' it");
    }
  }
  if (has_control(key)) return bad(origin.source, "the API key has control characters");
  // A text that is not an API key may be any other secret, so no part of it is shown.
  const auto shown = is_api_key(key) ? std::string(key_prefix(key)) + "…"
                     : key.empty()   ? ""
                                     : "(set)";
  settings.origins["api_key"] = {shown, origin.source};
  return key;
}

using Origins = std::map<std::string, Settings::Origin>;

/// Returns the text of every setting from the place with the highest priority (option, variable,
/// file or default), and the name of that place.
Origins find_origins(const Layer& files, const Flags& flags, const Environment& environment) {
  Origins origins;
  for (const auto& info : setting_infos()) {
    auto& origin = origins[info.name];
    origin = {info.fallback, "default"};
    if (const auto found = files.find(info.name); found != files.end()) origin = found->second;
    for (const auto& variable : info.variables) {
      if (const auto value = environment(variable)) origin = {*value, variable};
    }
    if (const auto found = flags.find(info.name); found != flags.end())
      origin = {found->second, kCommandLine};
  }
  return origins;
}

/// Returns an environment in which empty variables count as unset.
Environment without_empty(const Environment& every) {
  return [&every](const std::string& name) {
    auto value = every(name);
    return value && value->empty() ? std::nullopt : value;
  };
}

OutputForm form_of(const std::string& name) {
  if (name == "json") return OutputForm::kJson;
  if (name == "csv") return OutputForm::kCsv;
  if (name == "html") return OutputForm::kHtml;
  return name == "ndjson" ? OutputForm::kNdjson : OutputForm::kText;
}

bool has_scheme(const std::string& url) {
  const auto parts = split_url(url);
  return parts && (iequals(parts->scheme, "http") || iequals(parts->scheme, "https"));
}

/// Converts the texts of settings to typed values. Each error names the setting and the option,
/// variable or file that it is from.
class Reader {
 public:
  explicit Reader(Settings& settings) : settings_(settings) {}

  const std::string& text(const std::string& name) { return settings_.origins[name].value; }
  bool flag(const std::string& name) {
    const auto& value = text(name);
    if (value == "true" || value == "1" || value == "yes") return true;
    if (!value.empty() && value != "false" && value != "0" && value != "no")
      blame(name, "true or false");
    return false;
  }
  std::chrono::milliseconds duration(const std::string& name) {
    const auto value = parse_duration(text(name));
    if (!value || value->count() == 0) blame(name, "a duration such as 30s");
    return value.value_or(std::chrono::milliseconds(1));
  }
  int number(const std::string& name, int most) {
    const auto value = parse_int(text(name));
    if (!value || *value < 0 || *value > most)
      blame(name, "a number from 0 to " + std::to_string(most));
    return static_cast<int>(value.value_or(0));
  }
  std::string one_of(const std::string& name, const std::vector<std::string>& choices) {
    for (const auto& choice : choices) {
      if (choice == text(name)) return choice;
    }
    blame(name, join(choices, ", "));
    return choices.front();
  }
  [[nodiscard]] const std::string& problem() const { return problem_; }
  /// Returns true if an option on the command line is wrong (kUsage), and not only a file or
  /// variable (kSetup).
  [[nodiscard]] bool is_usage() const { return usage_; }

  void blame(const std::string& name, const std::string& wanted) {
    if (!problem_.empty()) problem_ += "; ";
    if (settings_.origins[name].source == kCommandLine) usage_ = true;
    problem_ += settings_.origins[name].source + ": " + name + " must be " + wanted;
  }

 private:
  Settings& settings_;
  std::string problem_;
  bool usage_ = false;
};

}  // namespace

std::optional<std::string> read_environment(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

const std::vector<SettingInfo>& setting_infos() {
  static const std::vector<SettingInfo> kInfos = {
      {"url", {"ANALYTICS_URL"}, "http://127.0.0.1:8000"},
      {"api_key_file", {"ANALYTICS_API_KEY_FILE"}, ""},
      {"output", {"ANALYTICS_OUTPUT"}, "text"},
      {"progress", {"ANALYTICS_PROGRESS"}, "auto"},
      {"connect_timeout", {}, "5s"},
      {"timeout", {"ANALYTICS_TIMEOUT"}, "30s"},
      {"retries", {"ANALYTICS_RETRIES"}, "8"},
      {"cacert", {}, ""},
      {"insecure", {}, "false"},
      {"allow_http", {}, "false"},
      {"no_input", {"ANALYTICS_NO_INPUT"}, "false"},
      {"no_color", {}, "false"},
  };
  return kInfos;
}

OutputForm early_form(const Flags& flags, const Environment& every) {
  const auto environment = without_empty(every);
  const auto files = read_files(flags, environment);
  return form_of(find_origins(files ? *files : Layer(), flags, environment)["output"].value);
}

Outcome<Settings> load_settings(const Flags& flags, const Environment& every, std::istream& input) {
  const auto environment = without_empty(every);
  const auto files = TRY(read_files(flags, environment));
  Settings settings;
  settings.origins = find_origins(files, flags, environment);
  const bool forced = environment("CLICOLOR_FORCE").value_or("0") != "0";
  if (!flags.contains("no_color")) {
    if (environment("NO_COLOR")) {
      settings.origins["no_color"] = {"true", "NO_COLOR"};
    } else if (!forced && environment("TERM").value_or("") == "dumb") {
      settings.origins["no_color"] = {"true", "TERM"};
    }
  }
  settings.force_color = forced;
  Reader read(settings);
  settings.url = read.text("url");
  while (settings.url.ends_with('/')) settings.url.pop_back();
  settings.output = form_of(read.one_of("output", {"text", "json", "csv", "ndjson", "html"}));
  settings.progress = read.one_of("progress", {"auto", "bar", "plain", "json", "none"});
  settings.connect_timeout = read.duration("connect_timeout");
  settings.timeout = read.duration("timeout");
  settings.retries = read.number("retries", 1'000);
  settings.cacert = read.text("cacert");
  settings.insecure = read.flag("insecure");
  settings.allow_http = read.flag("allow_http");
  settings.no_input = read.flag("no_input");
  settings.no_color = read.flag("no_color");
  if (!has_scheme(settings.url)) read.blame("url", "an http or https URL with a host");
  if (!read.problem().empty()) {
    return give_up(read.is_usage() ? ExitCode::kUsage : ExitCode::kSetup, read.problem(),
                   read.is_usage() ? "usage" : "invalid_config");
  }
  std::error_code missing;
  if (!settings.cacert.empty() && !std::filesystem::is_regular_file(settings.cacert, missing)) {
    return bad(settings.origins["cacert"].source, "there is no file " + settings.cacert);
  }
  settings.api_key = TRY(find_key(settings, flags, environment, input));
  return settings;
}

}  // namespace analytics::cli
