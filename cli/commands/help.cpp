#include <algorithm>
#include <ostream>
#include <vector>

#include "cli/commands/commands.h"
#include "cli/frame/exit_code.h"
#include "cli/replay/formats/open_reader.h"
#include "common/text/text.h"

namespace analytics::cli {
namespace {

struct Topic {
  const char* name;
  std::string text;
};

constexpr char kEnvironment[] = R"(ENVIRONMENT
  ANALYTICS_URL            the service; default http://127.0.0.1:8000
  ANALYTICS_API_KEY_FILE   a file with the API key
  ANALYTICS_API_KEY        the API key itself
  ANALYTICS_CONFIG         a settings file instead of the user's
  ANALYTICS_PROFILE        a [profile.NAME] section of that file
  ANALYTICS_OUTPUT         text, json or csv
  ANALYTICS_PROGRESS       auto, bar, plain, json or none
  ANALYTICS_TIMEOUT        timeout for a request, such as 30s
  ANALYTICS_RETRIES        attempts after the first
  ANALYTICS_NO_INPUT       true: never prompt
  NO_COLOR, CLICOLOR_FORCE no colour; colour without a terminal too
)";

constexpr char kConfig[] = R"(SETTINGS, the highest first
  command line > environment > [profile.NAME] of the user's file > user's file > system file

  User's file    $XDG_CONFIG_HOME/analytics/config.toml (~/.config/analytics/config.toml)
  System file    /etc/analytics/config.toml

  url = "https://stats.example.com"
  api_key_file = "/etc/analytics/key"
  output = "text"
  retries = 8

  'analytics config show' prints every setting and where it came from.
)";

constexpr std::size_t kWidth = 79;

/// Appends a row of two columns, the second at `column`. A long text continues below in that
/// column.
void append_row(std::string& table, std::string_view name, std::size_t column,
                std::string_view text) {
  std::string line = "  " + std::string(name);
  line.resize(std::max(line.size() + 2, column), ' ');
  bool is_first = true;
  for (const auto word : split(text, ' ')) {
    if (!is_first && line.size() + 1 + word.size() > kWidth) {
      table += line + '\n';
      line.assign(column, ' ');
    } else if (!is_first) {
      line += ' ';
    }
    line += word;
    is_first = false;
  }
  table += line + '\n';
}

std::string exit_codes_text() {
  std::string text = "EXIT CODES\n";
  for (const auto& [codes, about] : kExitCodes) append_row(text, codes, 7, about);
  return text;
}

std::string formats_text() {
  std::string text =
      "FORMATS that replay reads, plain or compressed with gzip, zstd, bzip2 or xz\n";
  for (const auto& [name, about] : input_formats()) append_row(text, name, 18, about);
  return text +
         "  From access logs, only GET requests that are answered with 2xx or 304 and are not for\n"
         "  assets become pageviews.\n"
         "\n"
         "  Reports of daily totals, which replay imports without a format: Plausible's CSV\n"
         "  export and GoatCounter's JSON export (the zip archives), and reports of Google\n"
         "  Analytics 4 and Matomo with a day in each row. See analytics-replay(1).\n";
}

const std::vector<Topic>& topics() {
  static const std::vector<Topic> kTopics = {{"environment", kEnvironment},
                                             {"exit-codes", exit_codes_text()},
                                             {"formats", formats_text()},
                                             {"config", kConfig}};
  return kTopics;
}

}  // namespace

std::vector<std::string> help_topics() {
  std::vector<std::string> names;
  for (const auto& topic : topics()) names.emplace_back(topic.name);
  return names;
}

Outcome<ExitCode> show_help(const std::string& topic, Context& context) {
  for (const auto& known : topics()) {
    if (topic != known.name) continue;
    context.out << known.text;
    return ExitCode::kOk;
  }
  return give_up(ExitCode::kUsage,
                 "unknown help topic \"" + topic + "\"; topics: " + join(help_topics(), ", ") +
                     ". For a command use --help",
                 "usage");
}

}  // namespace analytics::cli
