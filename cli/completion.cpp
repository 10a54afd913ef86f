#include "cli/completion.h"

#include <filesystem>
#include <fstream>
#include <ostream>
#include <set>
#include <sstream>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "cli/command_place.h"
#include "cli/command_tree.h"
#include "cli/commands/provisioning.h"
#include "cli/commands/stats_words.h"
#include "cli/frame/api_client.h"
#include "cli/replay/formats/open_reader.h"
#include "common/text.h"

namespace analytics::cli {
namespace {

// The user is waiting at the prompt.
constexpr std::chrono::seconds kPatience{1};

using Words = std::vector<std::string>;

const std::map<std::string, Words>& choices_of_options() {
  static const auto kChoices = [] {
    std::map<std::string, Words> choices = {
        {"output", {"text", "json", "csv"}},
        {"progress", {"auto", "bar", "plain", "json", "none"}},
        {"period", {"day", "7d", "30d", "month", "6mo", "12mo", "custom"}},
        {"by", stats_words()},
        {"metrics", stats_metrics()},
        {"time", {"now"}},
        {"dedupe", {"id"}},
        {"batch", {"off"}},
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

/// Returns the zone names of the installed tz database; only Etc/UTC without one.
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

Completions complete_value(const CommandPlace& place, const CLI::Option& option,
                           const std::string& begun, const NameSource& names) {
  const auto name = option.get_lnames().front();
  if (name == "site" || name == "site-override") return {names(NameKind::kSites, place), false};
  if (name == "timezone") return {time_zones(), false};
  if (const auto found = choices_of_options().find(name); found != choices_of_options().end()) {
    const auto comma = name == "metrics" ? begun.rfind(',') : std::string::npos;
    auto candidates =
        candidates_of(found->second, comma == std::string::npos ? "" : begun.substr(0, comma + 1));
    const bool is_list_without_end = place.command->get_name() == "events";
    if (name == "output" && is_list_without_end) candidates.push_back({"ndjson", ""});
    return {std::move(candidates), false};
  }
  const auto type = option.get_type_name();
  return {{}, type == "PATH" || type == "FILE"};
}

Completions complete_argument(const CommandPlace& place, const NameSource& names) {
  const CLI::Option* argument = nullptr;
  std::size_t index = 0;
  for (const auto* option : place.command->get_options()) {
    if (!option->get_positional()) continue;
    argument = option;
    if (option->get_expected_max() > 1 || index++ == place.arguments.size()) break;
    argument = nullptr;
  }
  if (argument == nullptr) return {};
  const auto name = argument->get_name(true);
  const auto command = place.command->get_name();
  const auto noun = place.command->get_parent() == nullptr
                        ? std::string()
                        : place.command->get_parent()->get_name();
  if (name == "files") return {{}, true};
  if (name == "topic") {
    return {candidates_of(help_topics()), false};
  }
  if ((name == "domain" || name == "site") && command != "create") {
    return {names(NameKind::kSites, place), false};
  }
  if (noun == "goals" && name == "id") return {names(NameKind::kGoals, place), false};
  if (noun == "imports" && name == "id") return {names(NameKind::kImports, place), false};
  if (noun == "exclude" && name == "id") return {names(NameKind::kExclusions, place), false};
  if (noun == "links" && command == "delete") return {names(NameKind::kLinks, place), false};
  return {};
}

/// Lists the command's own options and the global ones. Options of a parent command are left out,
/// because not all of them apply ('replay check').
std::vector<Candidate> options_of(const CLI::App& root, const CLI::App& command) {
  std::vector<Candidate> options;
  const auto add = [&](const CLI::App& app) {
    for (const auto& [name, option] : long_options(app)) {
      const bool is_of_all = name == "--help" && &app == &root && &command != &root;
      if (!is_of_all) options.push_back({name, option->get_description()});
    }
  };
  add(command);
  if (&command != &root) add(root);
  return options;
}

/// A list of the server, which member of its rows is the name, and which say what it is.
struct NameList {
  std::string path;
  const char* key;
  const char* word;
  std::vector<const char*> notes;  ///< The first that is there counts.
};

NameList list_of(NameKind kind, const CommandPlace& place) {
  const auto option = place.values.find("site");
  const auto argument = place.arguments.empty() ? "" : place.arguments.front();
  const auto site = percent_encode(option == place.values.end() ? argument : option->second);
  switch (kind) {
    case NameKind::kGoals:
      return {"/api/v1/sites/goals?site_id=" + site,
              "goals",
              "id",
              {"display_name", "event_name", "page_path"}};
    case NameKind::kImports:
      return {"/api/v1/sites/" + site + "/imports", "imports", "id", {"created_at"}};
    case NameKind::kExclusions:
      return {"/api/v1/sites/" + site + "/exclusions", "exclusions", "id", {"value"}};
    case NameKind::kLinks:
      return {"/api/v1/sites/shared-links?site_id=" + site, "shared_links", "name", {"url"}};
    case NameKind::kSites: break;
  }
  return {"/api/v1/sites", "sites", "domain", {"timezone"}};
}

/// False when reading the key could take what the terminal or a pipe holds for the command.
bool key_is_in_a_file(const Flags& flags) {
  const auto option = flags.find("api_key_file");
  const auto named = option != flags.end() ? std::optional(option->second)
                                           : read_environment("ANALYTICS_API_KEY_FILE");
  std::error_code missing;
  return !named || named->empty() || std::filesystem::is_regular_file(*named, missing);
}

/// Asks with the settings that the words and the environment give.
std::vector<Candidate> ask_server(NameKind kind, const CommandPlace& place) {
  Flags flags;
  for (const auto& [option, setting] : setting_options()) {
    const auto found = place.values.find(option.substr(2));
    if (found != place.values.end()) flags[setting] = found->second;
  }
  std::istringstream nothing;  // a key on standard input is for the command
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

void collect_flags(const CLI::App& app, std::set<std::string>& flags) {
  for (const auto& [name, option] : long_options(app)) flags.insert(name);
  for (const auto* inner : app.get_subcommands({})) collect_flags(*inner, flags);
}

void print_commands(const CLI::App& app, const std::string& before, std::ostream& out) {
  for (const auto* inner : app.get_subcommands({})) {
    const auto words = before + inner->get_name();
    out << words << '\n';
    print_commands(*inner, words + " ", out);
  }
}

}  // namespace

Completions complete(const CLI::App& root, const std::vector<std::string>& words,
                     const NameSource& names) {
  auto cursor = words.empty() ? std::string() : words.back();
  const auto before = std::span(words).first(words.empty() ? 0 : words.size() - 1);
  auto place = find_place(root, before);
  if (cursor == "=" && place.open != nullptr) cursor.clear();
  if (place.open != nullptr) return complete_value(place, *place.open, cursor, names);
  if (cursor.starts_with("--") && cursor.find('=') != std::string::npos) {
    const auto equals = cursor.find('=');
    const auto name = cursor.substr(0, equals);
    const auto* option = find_option(*place.command, name);
    if (option == nullptr || !takes_value(*option)) return {};
    auto found = complete_value(place, *option, cursor.substr(equals + 1), names);
    for (auto& candidate : found.candidates) candidate.word.insert(0, name + "=");
    return found;
  }
  if (cursor.starts_with('-')) return {options_of(root, *place.command), false};
  if (!place.unknown_command.empty()) return {};
  Completions found = complete_argument(place, names);
  if (!place.arguments.empty()) return found;
  for (const auto* inner : place.command->get_subcommands({})) {
    found.candidates.push_back({inner->get_name(), inner->get_description()});
  }
  return found;
}

void print_completions(const std::vector<std::string>& arguments, std::ostream& out) {
  Options options;
  CLI::App root("", "analytics");
  add_commands(root, options);
  const auto what = arguments.empty() ? std::string() : arguments.front();
  if (what == "flags") {
    std::set<std::string> flags;
    collect_flags(root, flags);
    for (const auto& flag : flags) out << flag << '\n';
  } else if (what == "commands") {
    print_commands(root, "", out);
  } else if (what == "words") {
    const auto found = complete(root, {arguments.begin() + 1, arguments.end()}, ask_server);
    const auto cursor = arguments.size() > 1 && arguments.back() != "=" ? arguments.back() : "";
    for (const auto& [word, note] : found.candidates) {
      if (!word.starts_with(cursor)) continue;
      out << visible(word);
      if (!note.empty()) out << '\t' << visible(note);
      out << '\n';
    }
    if (found.files) out << ":files\n";
  }
}

}  // namespace analytics::cli
