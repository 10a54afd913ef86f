#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cli/frame/context.h"
#include "cli/frame/exit_code.h"

/// The commands as functions with a struct of options each, one file per noun. command_tree and
/// command_replay fill the structs.
namespace analytics::cli {

struct SiteOptions {
  std::string domain;
  std::string timezone;
  std::string new_domain;
  std::string keep;         ///< Retention: "forever", "90d", "25mo".
  std::string keep_totals;  ///< "yes" or "no", as `languages`.
  std::string languages;
  std::string confirm;
  bool if_not_exists = false;
  bool if_exists = false;
  int days = 7;  ///< Days that `drops` covers, up to now.
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
  std::string site;        ///< One site, unless all_sites.
  bool all_sites = false;  ///< A link of the account, which opens all sites.
  std::string name;
  bool if_exists = false;
  // The link's terms. An absent term stays unchanged; an empty text removes it.
  std::string password_file;  ///< File with the password; "-" is stdin.
  bool no_password = false;
  std::vector<std::string> filters;  ///< Such as "page==/blog/**"; all must match.
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

/// Options of `apply` and `diff`, which compare a file of sites with the server.
struct ApplyOptions {
  std::string file;  ///< File of sites; "-" is stdin.
  bool prune = false;
};
Outcome<ExitCode> apply_sites(const ApplyOptions&, Context&);
/// Returns kDifferent if apply_sites() would change anything, or if the server has a site that the
/// file lacks.
Outcome<ExitCode> diff_sites(const ApplyOptions&, Context&);

struct ExportSitesOptions {
  std::string out;  ///< New file to write; empty: stdout.
  bool with_secrets = false;
};
Outcome<ExitCode> export_sites(const ExportSitesOptions&, Context&);

/// Selects events of a site that meet every condition. An empty member is no condition.
struct EventFilter {
  std::string from;  ///< First day in the site's time zone, or a time in RFC 3339.
  std::string to;    ///< Last day in the site's time zone (inclusive), or a time in RFC 3339.
  std::string page;  ///< Page pattern.
  std::string source;
  std::string prop;  ///< Property, as "key=value" or "key".
  std::string import;
  std::string visitor_of;  ///< event_id of any event of the visitor.
};

struct EventsOptions {
  std::string site;
  EventFilter which;
  std::string confirm;
};
/// Returns when the server has removed all data of the events.
Outcome<ExitCode> delete_events(const EventsOptions&, Context&);

struct ExportOptions {
  std::string site;
  EventFilter which;
  bool with_ids = false;
};
Outcome<ExitCode> export_events(const ExportOptions&, Context&);

struct StatsOptions {
  std::string site;                  ///< Domain; empty: a table of all sites.
  std::string by;                    ///< Property, or time, hour, day, month; empty: an overview.
  std::string metrics;               ///< Metrics, separated by commas.
  std::vector<std::string> filters;  ///< Such as "page==/blog/**"; all must match.
  std::string period;
  std::string date;
  std::string compare;  ///< previous, year, FROM,TO or none; empty: previous, but none for a table.
  int limit = 0;        ///< Most rows; 0: the usual number.
};
Outcome<ExitCode> show_stats(const StatsOptions&, Context&);
/// Prints a line for each site of the account.
Outcome<ExitCode> show_all_sites(Context&);

/// Options of `report`, which prints a report for mail.
struct ReportOptions {
  std::string site;  ///< One site, unless all.
  bool all = false;  ///< All sites of the key.
  std::string period = "7d";
  std::string link;  ///< Name of the shared link that the report contains; empty: no link.
};
Outcome<ExitCode> show_report(const ReportOptions&, Context&);

struct AlertsOptions {
  std::string site;      ///< One site, unless all.
  bool all = false;      ///< All sites of the key.
  int silent_hours = 0;  ///< Hours without events before an alert; 0: the service's setting.
};
/// Returns kDifferent if any alert is found.
Outcome<ExitCode> show_alerts(const AlertsOptions&, Context&);

struct WatchOptions {
  std::string site;
  std::string every = "5s";
  bool once = false;
};
/// Returns after a signal. Without a terminal, returns after the first picture.
Outcome<ExitCode> watch_site(const WatchOptions&, Context&);

Outcome<ExitCode> show_health(Context&);
Outcome<ExitCode> show_config(Context&);
/// Returns the topics that show_help() explains.
[[nodiscard]] std::vector<std::string> help_topics();
Outcome<ExitCode> show_help(const std::string& topic, Context&);

struct ReplayOptions {
  std::vector<std::string> command_line;  ///< Arguments as typed.
  std::vector<std::string> files;         ///< Input files; "-" is stdin.
  std::set<std::string> found{};          ///< Files found in a folder or an archive.
  std::string format = "auto";            ///< Input format; see replay/formats/open_reader.h.
  std::string log_format;                 ///< Form of a log's lines; empty: a known form.
  std::string date_format;  ///< Date format of strptime(3); empty: detected from the times.
  std::string time_format;  ///< Likewise, for the part after the date.
  std::string encoding;     ///< Encoding, as named by iconv(3); empty: UTF-8.
  std::string timezone;     ///< Zone of times without an offset; empty: UTC.
  std::string site;
  std::string site_override;
  std::string base;
  std::vector<std::string> include;
  std::vector<std::string> exclude;
  bool keep_bots = false;
  bool downloads = false;
  bool time_now = false;
  int concurrency = 16;
  std::string rate;  ///< Most records a second, as "500/s"; empty: as fast as the server answers.
  std::string max_errors;  ///< Most rejected records, as "10" or "1%"; empty: no limit.
  std::string rejects;
  std::string batch = "1000";  ///< Records per request, or "off".
  std::string import_id;       ///< Name of the import; empty: derived from source and sites.
  std::string source;          ///< Id of the source; empty: derived from the file's beginning.
  std::string checkpoint;      ///< Checkpoint file; empty: one file per source in the state folder.
  bool restart = false;
  bool accept_duplicates = false;
  std::string dedupe;            ///< Field that identifies a record: "id", or empty.
  std::vector<std::string> map;  ///< Mapping of columns, as "field=column".
  std::string speed;    ///< Speed relative to the recorded times, as "2x"; empty: no pacing.
  std::string max_gap;  ///< Longest pause between records, as "1s"; empty: no limit.
  bool follow = false;
  std::string from_rejects;  ///< Reject file to read instead of `files`.
};
Outcome<ExitCode> replay(const ReplayOptions&, Context&);
/// Compares files with the records that the server has stored from them.
Outcome<ExitCode> check_replay(const ReplayOptions&, Context&);

}  // namespace analytics::cli
