#include <CLI/CLI.hpp>

#include "cli/command_parts.h"

namespace analytics::cli {
namespace {

/// Adds the options that choose one site or all sites.
void add_whose(CLI::App& command, std::string& site, bool& all) {
  auto* one = command.add_option("--site", site, "The site")->type_name("DOMAIN");
  command.add_flag("--all", all, "All sites of the key")->excludes(one);
}

}  // namespace

void add_reports(CLI::App& root, Options& options) {
  auto& report = command(root, options, "report", "Write a report for mail",
                         "  analytics report --site example.com --period 7d\n"
                         "  analytics report --all --period month -o html > report.html",
                         [&options](Context& c) { return show_report(options.report, c); });
  report.preparse_callback(
      [&options](std::size_t) { options.invocation.own_form = OutputForm::kHtml; });
  add_whose(report, options.report.site, options.report.all);
  report
      .add_option("--period", options.report.period,
                  "A period of stats, compared with the one before; default 7d")
      ->type_name("PERIOD");
  report
      .add_option("--link", options.report.link,
                  "Lead to the shared link of that name; its secret is in the report")
      ->type_name("NAME");
  auto& alerts = command(root, options, "alerts", "Print what is wrong: silence, or a spike",
                         "  analytics alerts --site example.com\n"
                         "  analytics alerts --all --silent-hours 48",
                         [&options](Context& c) { return show_alerts(options.alerts, c); });
  add_whose(alerts, options.alerts.site, options.alerts.all);
  alerts
      .add_option("--silent-hours", options.alerts.silent_hours,
                  "Hours without an event; default: as the service is set")
      ->check(CLI::Range(1, 8'760))
      ->type_name("N");
  auto& watch = command(root, options, "watch", "Show the last half hour, again and again",
                        "  analytics watch --site example.com\n"
                        "  analytics watch --site example.com --once",
                        [&options](Context& c) { return watch_site(options.watch, c); });
  required(watch, "--site", options.watch.site, "The site", "DOMAIN");
  watch.add_option("--every", options.watch.every, "How often; default 5s")->type_name("TIME");
  watch.add_flag("--once", options.watch.once, "Show it once");
}

}  // namespace analytics::cli
