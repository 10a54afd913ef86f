#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cli/frame/context.h"
#include "cli/frame/exit_code.h"

/// The commands as functions of structs, one file per noun; command_tree and command_replay fill
/// the structs.
namespace analytics::cli {

struct SiteOptions {
  std::string domain;
  std::string timezone;
  std::string new_domain;
  std::string keep;         ///< "forever", "90d", "25mo".
  std::string keep_totals;  ///< "yes" or "no", as the next.
  std::string languages;
  std::string confirm;
  bool if_not_exists = false;
  bool if_exists = false;
  int days = 7;  ///< `drops` covers the last `days` days.
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
  std::string site;        ///< Or
  bool all_sites = false;  ///< a link of the account.
  std::string name;
  bool if_exists = false;
  // Its terms. Absent: as they are; an empty text: none.
  std::string password_file;  ///< "-" is stdin.
  bool no_password = false;
  std::vector<std::string> filters;  ///< "page==/blog/**"; all must hold.
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
  std::vector<std::string> steps;  ///< "event=Signup", "page=/pricing*".
  std::string within = "visit";
  std::string period;
  std::string date;
  std::string filters;  ///< In the notation of the Stats API.
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
  std::vector<std::string> props;  ///< "key=value".
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
/// Returns when all of it is gone.
Outcome<ExitCode> undo_import(const ImportOptions&, Context&);

/// A file of sites, compared with the server.
struct ApplyOptions {
  std::string file;  ///< "-" is stdin.
  bool prune = false;
};
Outcome<ExitCode> apply_sites(const ApplyOptions&, Context&);
/// Returns kDifferent if there is something that apply_sites() would change, or a site that is not
/// in the file.
Outcome<ExitCode> diff_sites(const ApplyOptions&, Context&);

struct ExportSitesOptions {
  std::string out;  ///< A new file; empty: stdout.
  bool with_secrets = false;
};
Outcome<ExitCode> export_sites(const ExportSitesOptions&, Context&);

/// Selects events of a site: those for which everything holds that is not empty.
struct EventFilter {
  std::string from;  ///< A day of the site, or RFC 3339.
  std::string to;    ///< A day of the site (inclusive), or RFC 3339.
  std::string page;  ///< A pattern.
  std::string source;
  std::string prop;  ///< "key=value", or "key".
  std::string import;
  std::string visitor_of;  ///< The event_id of one of the visitor's events.
};

struct EventsOptions {
  std::string site;
  EventFilter which;
  std::string confirm;
};
/// Returns when nothing of the events is left on the server.
Outcome<ExitCode> delete_events(const EventsOptions&, Context&);

struct ExportOptions {
  std::string site;
  EventFilter which;
  bool with_ids = false;
};
Outcome<ExitCode> export_events(const ExportOptions&, Context&);

struct StatsOptions {
  std::string site;                  ///< Empty: a table of all.
  std::string by;                    ///< A property, or time, hour, day, month; empty: an overview.
  std::string metrics;               ///< A comma list.
  std::vector<std::string> filters;  ///< "page==/blog/**"; all must hold.
  std::string period;
  std::string date;
  std::string compare;  ///< previous, year, FROM,TO or none; empty: previous, of a table none.
  int limit = 0;        ///< Rows; 0: as many as usual.
};
Outcome<ExitCode> show_stats(const StatsOptions&, Context&);
/// A line for each site of the account.
Outcome<ExitCode> show_all_sites(Context&);

/// A report for mail.
struct ReportOptions {
  std::string site;  ///< Or
  bool all = false;  ///< of all sites of the key.
  std::string period = "7d";
  std::string link;  ///< The name of a shared link that the report leads to; empty: none.
};
Outcome<ExitCode> show_report(const ReportOptions&, Context&);

struct AlertsOptions {
  std::string site;      ///< Or
  bool all = false;      ///< all sites of the key.
  int silent_hours = 0;  ///< 0: as in the settings of the service.
};
/// Returns kDifferent if anything is wrong.
Outcome<ExitCode> show_alerts(const AlertsOptions&, Context&);

struct WatchOptions {
  std::string site;
  std::string every = "5s";
  bool once = false;
};
/// Returns when a signal ends it; on no terminal after the first picture.
Outcome<ExitCode> watch_site(const WatchOptions&, Context&);

Outcome<ExitCode> show_health(Context&);
Outcome<ExitCode> show_config(Context&);
/// Returns the topics that show_help() explains.
[[nodiscard]] std::vector<std::string> help_topics();
Outcome<ExitCode> show_help(const std::string& topic, Context&);

struct ReplayOptions {
  std::vector<std::string> command_line;  ///< The arguments as they were typed.
  std::vector<std::string> files;         ///< "-" is stdin.
  std::set<std::string> found{};          ///< Those that a folder or an archive had.
  std::string format = "auto";            ///< See replay/formats/open_reader.h.
  std::string log_format;                 ///< The form of a log's lines; empty: a known one.
  std::string date_format;                ///< As strptime(3) takes it; empty: found by the times.
  std::string time_format;                ///< Likewise, of what follows the date.
  std::string encoding;                   ///< As iconv(3) names it; empty: UTF-8.
  std::string timezone;                   ///< Of times that have none; empty: UTC.
  std::string site;
  std::string site_override;
  std::string base;
  std::vector<std::string> include;
  std::vector<std::string> exclude;
  bool keep_bots = false;
  bool downloads = false;
  bool time_now = false;
  int concurrency = 16;
  std::string rate;        ///< "500/s"; empty: as fast as the server answers.
  std::string max_errors;  ///< "10" or "1%"; empty: no limit.
  std::string rejects;
  std::string batch = "1000";  ///< Records of one request, or "off".
  std::string import_id;       ///< Empty: made of source and sites.
  std::string source;          ///< Empty: made of the file's beginning.
  std::string checkpoint;      ///< Empty: a file a source in the state folder.
  bool restart = false;
  bool accept_duplicates = false;
  std::string dedupe;            ///< "id", or empty.
  std::vector<std::string> map;  ///< "field=column".
  std::string speed;             ///< "2x"; empty: as fast as it goes.
  std::string max_gap;           ///< "1s"; empty: as long as it is.
  bool follow = false;
  std::string from_rejects;  ///< A reject file, in place of files.
};
Outcome<ExitCode> replay(const ReplayOptions&, Context&);
/// Compares files with what the server holds of them.
Outcome<ExitCode> check_replay(const ReplayOptions&, Context&);

}  // namespace analytics::cli
