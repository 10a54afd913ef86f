#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/commands/event_filter.h"
#include "cli/frame/context.h"
#include "cli/frame/exit_code.h"

/// Each command is a function with a struct of options, which command_tree fills. Each noun of the
/// command line has its own file.
namespace analytics::cli {

struct SiteOptions {
  std::string domain;
  std::string timezone;
  std::string new_domain;
  std::string keep;  ///< Retention: "forever", "90d", "25mo".
  /// Setting for daily totals of expired events: "yes" to keep them, "no", or empty for no change.
  /// `languages` (to count visitors' languages) has the same values.
  std::string keep_totals;
  std::string languages;
  std::string confirm;
  bool if_not_exists = false;
  bool if_exists = false;
  int days = 7;  ///< Number of days that `sites drops` covers, up to now.
};
Outcome<ExitCode> create_site(const SiteOptions&, Context&);
Outcome<ExitCode> list_sites(Context&);
Outcome<ExitCode> get_site(const SiteOptions&, Context&);
Outcome<ExitCode> update_site(const SiteOptions&, Context&);
Outcome<ExitCode> delete_site(const SiteOptions&, Context&);
Outcome<ExitCode> list_drops(const SiteOptions&, Context&);

struct ExclusionOptions {
  std::string domain;
  std::string address;
  std::string page;
  std::string hostname;
  std::string id;
  bool if_exists = false;
};
Outcome<ExitCode> add_exclusion(const ExclusionOptions&, Context&);
Outcome<ExitCode> list_exclusions(const ExclusionOptions&, Context&);
Outcome<ExitCode> remove_exclusion(const ExclusionOptions&, Context&);

struct LinkOptions {
  std::string site;        ///< The site's domain; empty if all_sites is set.
  bool all_sites = false;  ///< True to use the account's links, which open all sites.
  std::string name;
  bool if_exists = false;
  // The link's terms. A term without an option stays unchanged. `no_password`, `no_filters`, and an
  // empty text in an optional member remove a term.
  std::string password_file;  ///< File with the password; "-" is stdin.
  bool no_password = false;
  std::vector<std::string> filters;  ///< Filters such as "page==/blog/**"; all must match.
  bool no_filters = false;
  std::optional<std::string> expires_at;
  std::optional<std::string> period;
  std::optional<std::string> frame_ancestors;
};
Outcome<ExitCode> ensure_link(const LinkOptions&, Context&);
Outcome<ExitCode> list_links(const LinkOptions&, Context&);
Outcome<ExitCode> delete_link(const LinkOptions&, Context&);

struct FunnelOptions {
  std::string site;
  std::string name;
  std::vector<std::string> steps;  ///< Steps such as "event=Signup" and "page=/pricing*".
  std::string within = "visit";
  std::string period;
  std::string date;
  std::string filters;  ///< Filters in the notation of the Stats API.
  bool if_exists = false;
};
Outcome<ExitCode> ensure_funnel(const FunnelOptions&, Context&);
Outcome<ExitCode> list_funnels(const FunnelOptions&, Context&);
Outcome<ExitCode> show_funnel(const FunnelOptions&, Context&);
Outcome<ExitCode> delete_funnel(const FunnelOptions&, Context&);

struct GoalOptions {
  std::string site;
  std::string event;
  std::string page;
  std::string display_name;
  std::string id;
  bool if_exists = false;
};
Outcome<ExitCode> ensure_goal(const GoalOptions&, Context&);
Outcome<ExitCode> list_goals(const GoalOptions&, Context&);
Outcome<ExitCode> delete_goal(const GoalOptions&, Context&);

struct SendOptions {
  std::string site;
  std::string url;
  std::string name = "pageview";
  std::string referrer;
  std::vector<std::string> props;  ///< Properties as "key=value".
  std::string user_agent;
  std::string ip;
  bool explain = false;
};
Outcome<ExitCode> send_event(const SendOptions&, Context&);

struct ImportOptions {
  std::string site;
  std::string id;
  bool if_exists = false;
};
Outcome<ExitCode> list_imports(const ImportOptions&, Context&);
/// Removes an import. Returns when all its events are gone.
Outcome<ExitCode> undo_import(const ImportOptions&, Context&);

struct EventsOptions {
  std::string site;
  EventFilter which;
  std::string confirm;
};
/// Deletes the events. Returns when the server has removed all their data.
Outcome<ExitCode> delete_events(const EventsOptions&, Context&);

struct ExportOptions {
  std::string site;
  EventFilter which;
  bool with_ids = false;
};
Outcome<ExitCode> export_events(const ExportOptions&, Context&);

struct AlertsOptions {
  std::string site;      ///< The site's domain; empty if `all` is set.
  bool all = false;      ///< True to check all sites of the key.
  int silent_hours = 0;  ///< Hours without events before an alert; 0 for the server's setting.
};
/// Returns kDifferent if any alert is found.
Outcome<ExitCode> show_alerts(const AlertsOptions&, Context&);

Outcome<ExitCode> show_health(Context&);
Outcome<ExitCode> show_config(Context&);
/// Returns the topics that show_help() explains.
[[nodiscard]] std::vector<std::string> help_topics();
Outcome<ExitCode> show_help(const std::string& topic, Context&);

}  // namespace analytics::cli
