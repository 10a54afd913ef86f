#include "daemon/commands/doctor.h"

#include <algorithm>
#include <iostream>

#include <sys/timex.h>

#include "common/text/text.h"
#include "daemon/admin/control_socket.h"
#include "daemon/admin/doctor.h"
#include "daemon/admin/operator_command.h"
#include "daemon/admin/owner.h"
#include "daemon/config/exit_code.h"
#include "daemon/enrich/geo.h"
#include "daemon/metrics/metrics.h"
#include "daemon/store/sqlite/backend.h"
#include "daemon/store/sqlite/overview.h"

namespace analytics {
namespace {

using admin::Facts;

constexpr std::chrono::hours kOfDrops{24};

/// Returns true if a time service keeps the system clock synchronised, according to adjtimex(2).
bool is_clock_synchronised() {
  timex state{};
  return adjtimex(&state) != TIME_ERROR && (state.status & STA_UNSYNC) == 0;
}

std::optional<UnixSeconds> changed_at(const std::filesystem::path& file) {
  std::error_code unknown;
  const auto time = std::filesystem::last_write_time(file, unknown);
  if (unknown) return std::nullopt;
  const auto system = std::chrono::file_clock::to_sys(time);
  return std::chrono::floor<std::chrono::seconds>(system);
}

Facts::DataFile user_agents_of(const Config& config) {
  const auto& file = config.enrichment.user_agents;
  return {file.string(), changed_at(file)};
}

Facts::DataFile places_of(const Config& config) {
  Facts::DataFile places{config.enrichment.geoip.string(), {}};
  if (places.file.empty()) return places;
  if (const auto opened = GeoDatabase::open(places.file)) places.made_at = (*opened)->made_at();
  return places;
}

/// Returns the text of the running daemon's metrics. Errors: kNotFound if no daemon runs.
Result<std::string> metrics_text(const Config& config) {
  admin::OperatorCommand command;
  command.verb = admin::OperatorCommand::Verb::kShowMetrics;
  const auto reply = TRY(admin::ask_daemon(config.database, admin::to_line(command)));
  return admin::parse_outcome(reply);
}

std::vector<std::string> unknown_paths_in(std::string_view text) {
  std::vector<std::string> paths;
  for (const auto line : split(text, '\n')) {
    if (line.starts_with(kUnknownPathMark)) {
      paths.emplace_back(line.substr(kUnknownPathMark.size()));
    }
  }
  return paths;
}

}  // namespace

std::optional<std::map<std::string, double>> ask_for_metrics(const Config& config) {
  const auto text = metrics_text(config);
  return text ? std::optional(admin::read_metrics(*text)) : std::nullopt;
}

void check_place(const Config& config, const std::function<void(const std::string&)>& found) {
  const auto& database = config.database;
  if (const auto problem = sqlite::place_problem(database); !problem.empty()) {
    found(problem);
  }
  for (const auto& file : admin::files_of(database)) {
    std::error_code unknown;
    using std::filesystem::perms;
    const auto rights = std::filesystem::status(file, unknown).permissions();
    if (!unknown && (rights & (perms::group_all | perms::others_all)) != perms::none) {
      found(file.string() + " can be used by other users: chmod 600");
    }
  }
}

bool run_doctor(const Config& config, bool is_json) {
  Facts facts;
  facts.now = system_now();
  facts.settings_file = config.file.string();
  facts.listen = config.http.listen;
  facts.base_url = config.settings.base_url;
  facts.trusted_proxies = config.settings.trusted_proxies.size();
  facts.database = config.database.string();
  std::error_code unknown;
  facts.database_bytes = std::filesystem::file_size(config.database, unknown);
  check_place(config,
              [&](const std::string& problem) { facts.location_problems.push_back(problem); });
  facts.free_disk = std::filesystem::space(config.database, unknown).available;
  facts.min_free_disk = config.settings.min_free_disk;
  facts.is_clock_synchronised = is_clock_synchronised();
  facts.user_agents = user_agents_of(config);
  facts.places = places_of(config);
  if (const auto text = metrics_text(config)) {
    facts.metrics = admin::read_metrics(*text);
    facts.unknown_paths = unknown_paths_in(*text);
  }
  auto stored = sqlite::overview(config.database, facts.now - kOfDrops);
  if (!stored) throw AppError(ExitCode::kRuntime, stored.error().reason());
  facts.stored = std::move(*stored);
  const auto findings = admin::examine(facts);
  std::cout << admin::format_findings(findings, is_json);
  return std::none_of(findings.begin(), findings.end(), [](const admin::Finding& finding) {
    return finding.level == admin::Finding::Level::kProblem;
  });
}

}  // namespace analytics
