#include "cli/completion.h"

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "cli/command_tree.h"
#include "cli/frame/api_client.h"
#include "cli/frame/paths.h"
#include "cli/frame/requests.h"
#include "cli/replay/formats/open_reader.h"
#include "cli/stats/stats_words.h"
#include "common/args/command_place.h"
#include "common/args/completion.h"
#include "common/text/text.h"

namespace analytics::cli {
namespace {

// Timeout of requests to the server. It is short, because the user is waiting at the prompt.
constexpr std::chrono::seconds kPatience{1};

using Words = std::vector<std::string>;

/// The kinds of names that the server can list.
enum class NameKind { kSites, kGoals, kImports, kExclusions, kLinks };

const std::map<std::string, Words>& choices_of_options() {
  static const auto kChoices = [] {
    std::map<std::string, Words> choices = {
        {"output", {"text", "json", "csv"}},
        {"progress", {"auto", "bar", "plain", "json", "none"}},
        {"period",
         {"day", "24h", "7d", "28d", "30d", "91d", "month", "6mo", "12mo", "year", "all"}},
        {"compare", {"previous", "year", "none"}},
        {"by", stats_words()},
        {"metrics", stats_metrics()},
        {"time", {"now"}},
        {"dedupe", {"id"}},
        {"batch", {"off"}},
        {"keep-totals", {"yes", "no"}},
        {"languages", {"yes", "no"}},
    };
    for (const auto& format : input_formats()) choices["format"].emplace_back(format.name);
    return choices;
  }();
  return kChoices;
}

std::vector<Candidate> candidates_of(const Words& words, const std::string& before = "") {
  std::vector<Candidate> candidates;
  for (const auto& word : words) candidates.push_back({before + word, ""});
  return candidates;
}

/// Returns the zone names of the installed tz database; only Etc/UTC if there is no database.
std::vector<Candidate> time_zones() {
  std::vector<Candidate> zones{{"Etc/UTC", ""}};
  std::ifstream file("/usr/share/zoneinfo/tzdata.zi");
  for (std::string line; std::getline(file, line);) {
    const auto fields = split(line, ' ');
    if (fields.size() > 1 && fields[0] == "Z") zones.push_back({std::string(fields[1]), ""});
    if (fields.size() > 2 && fields[0] == "L") zones.push_back({std::string(fields[2]), ""});
  }
  return zones;
}

/// A list that the server returns: the URL's path, the member of the JSON document that contains
/// the list (`key`), and the members of a row that contain the name (`word`) and a note about it.
struct NameList {
  std::string path;
  const char* key;
  const char* word;
  /// Members that may contain the note; the first one present is used.
  std::vector<const char*> notes;
};

NameList list_of(NameKind kind, const CommandPlace& place) {
  const auto option = place.values.find("site");
  const auto argument = place.arguments.empty() ? "" : place.arguments.front();
  const auto site = percent_encode(option == place.values.end() ? argument : option->second);
  switch (kind) {
    case NameKind::kGoals:
      return {std::string(kGoalsPath) + "?site_id=" + site,
              "goals",
              "id",
              {"display_name", "event_name", "page_path"}};
    case NameKind::kImports:
      return {"/api/v1/sites/" + site + "/imports", "imports", "id", {"created_at"}};
    case NameKind::kExclusions:
      return {"/api/v1/sites/" + site + "/exclusions", "exclusions", "id", {"value"}};
    case NameKind::kLinks:
      if (option == place.values.end()) {
        return {kAccountLinksPath, "shared_links", "name", {"url"}};
      }
      return {std::string(kLinksPath) + "?site_id=" + site, "shared_links", "name", {"url"}};
    case NameKind::kSites: break;
  }
  return {kSitesPath, "sites", "domain", {"timezone"}};
}

/// Returns false if the key would be read from a terminal or a pipe, whose input is meant for the
/// command.
bool key_is_in_a_file(const Flags& flags) {
  const auto option = flags.find("api_key_file");
  const auto named = option != flags.end() ? std::optional(option->second)
                                           : read_environment("ANALYTICS_API_KEY_FILE");
  std::error_code missing;
  return !named || named->empty() || std::filesystem::is_regular_file(*named, missing);
}

/// Asks the server for names, with the settings of the command line and the environment. Returns
/// no names if there is no answer within kPatience. `place` contains the site and the options of
/// the command line.
std::vector<Candidate> ask_server(NameKind kind, const CommandPlace& place) {
  Flags flags;
  for (const auto& [option, setting] : setting_options()) {
    const auto found = place.values.find(option.substr(2));
    if (found != place.values.end()) flags[setting] = found->second;
  }
  std::istringstream nothing;  // no key is read from standard input
  if (!key_is_in_a_file(flags)) return {};
  auto settings = load_settings(flags, read_environment, nothing);
  if (!settings) return {};
  settings->connect_timeout = kPatience;
  settings->timeout = kPatience;
  settings->retries = 0;
  settings->quiet = true;
  std::ostringstream ignored;
  const HttpLibrary library;
  const SystemClock clock;
  ApiClient api(*settings, ignored, clock);
  Context context{*settings, api, nothing, ignored, ignored, clock};
  const auto list = list_of(kind, place);
  const auto rows = read_pages(list.path, list.key, context);
  std::vector<Candidate> candidates;
  if (!rows) return candidates;
  for (const auto& row : (*rows)[list.key]) {
    Candidate candidate{cell_of(row, list.word), ""};
    for (const auto* note : list.notes) {
      if (candidate.note.empty()) candidate.note = cell_of(row, note);
    }
    if (!candidate.word.empty()) candidates.push_back(std::move(candidate));
  }
  return candidates;
}

Completions complete_value(const CommandPlace& place, const CLI::Option& option,
                           const std::string& begun) {
  const auto name = option.get_lnames().front();
  if (name == "site" || name == "site-override")
    return {ask_server(NameKind::kSites, place), false};
  if (name == "timezone") return {time_zones(), false};
  if (name == "link") return {ask_server(NameKind::kLinks, place), false};
  if (const auto found = choices_of_options().find(name); found != choices_of_options().end()) {
    const auto comma = name == "metrics" ? begun.rfind(',') : std::string::npos;
    auto candidates =
        candidates_of(found->second, comma == std::string::npos ? "" : begun.substr(0, comma + 1));
    const auto command = place.command->get_name();
    if (name == "output" && command == "events") candidates.push_back({"ndjson", ""});
    if (name == "output" && command == "report") candidates.push_back({"html", ""});
    return {std::move(candidates), false};
  }
  const auto type = option.get_type_name();
  return {{}, type == "PATH" || type == "FILE"};
}

Completions complete_argument(const CommandPlace& place, const CLI::Option& argument) {
  const auto name = argument.get_name(true);
  const auto command = place.command->get_name();
  const auto noun = place.command->get_parent() == nullptr
                        ? std::string()
                        : place.command->get_parent()->get_name();
  if (name == "files") return {{}, true};
  if (name == "topic") {
    return {candidates_of(help_topics()), false};
  }
  if ((name == "domain" || name == "site") && command != "create") {
    return {ask_server(NameKind::kSites, place), false};
  }
  if (noun == "goals" && name == "id") return {ask_server(NameKind::kGoals, place), false};
  if (noun == "imports" && name == "id") return {ask_server(NameKind::kImports, place), false};
  if (noun == "exclude" && name == "id") return {ask_server(NameKind::kExclusions, place), false};
  if (noun == "links" && command == "delete") return {ask_server(NameKind::kLinks, place), false};
  return {};
}

}  // namespace

void print_completions(const std::vector<std::string>& arguments, std::ostream& out) {
  Options options;
  CLI::App root("", "analytics");
  add_commands(root, options);
  const auto is_for_all = [](const CLI::Option&, const CLI::App&) { return true; };
  analytics::print_completions(root, arguments, {complete_value, complete_argument, is_for_all},
                               out);
}

}  // namespace analytics::cli
