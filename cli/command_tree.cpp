#include "cli/command_tree.h"

#include <CLI/CLI.hpp>

#include "cli/command_parts.h"
#include "cli/stats/stats_words.h"
#include "common/run/version.h"
#include "common/text/text.h"

namespace analytics::cli {
namespace {

void add_global(CLI::App& app, Options& options) {
  app.set_version_flag("--version", std::string("analytics ") + kVersion);
  const auto value = [&](const char* flag, const char* key, const char* type, const char* text) {
    app.add_option(flag, options.values[key], text)->type_name(type);
  };
  const auto toggle = [&](const char* flag, const char* key, const char* text) {
    app.add_flag(flag, options.switches[key], text);
  };
  value("--server", "url", "URL", "The service");
  value("--api-key-file", "api_key_file", "PATH", "A file with the API key; - is stdin");
  value("--config", "config", "FILE", "Use this settings file instead of the user's");
  value("--profile", "profile", "NAME", "A [profile.NAME] section of the settings file");
  value("-o,--output", "output", "FORM",
        "text, json or csv; for export events also ndjson, for report html");
  value("--progress", "progress", "KIND", "auto, bar, plain, json or none");
  value("--connect-timeout", "connect_timeout", "TIME", "Timeout for connecting");
  value("--timeout", "timeout", "TIME", "Timeout for a whole request");
  value("--retries", "retries", "N", "Attempts after the first");
  value("--cacert", "cacert", "FILE", "Certificates to trust");
  toggle("--json", "json", "The same as --output json");
  toggle("--insecure", "insecure", "Accept any certificate");
  toggle("--allow-http", "allow_http", "Send the key over plain http to any host");
  toggle("--no-input", "no_input", "Never prompt");
  toggle("--no-color", "no_color", "No colour");
  app.add_flag("-q,--quiet", options.invocation.quiet, "Print only what goes wrong");
  app.add_flag("-v,--verbose", options.invocation.verbose, "Report every retry");
  app.add_flag("--debug-http", options.invocation.debug_http,
               "Show requests and answers, without secrets");
  app.add_flag("--dry-run", options.invocation.dry_run,
               "Print what would be sent, and send nothing");
}

void add_exclusions(CLI::App& sites, Options& options) {
  auto& app = noun(sites, "exclude", "Choose what a site does not count");
  auto& exclusion = options.exclusion;
  const auto bind = [&exclusion](auto function) {
    return [&exclusion, function](Context& c) { return function(exclusion, c); };
  };
  auto& add = command(app, options, "add", "Exclude an address, a page or all other hosts",
                      "  analytics sites exclude add example.com --address 192.0.2.0/24\n"
                      "  analytics sites exclude add example.com --page '/internal/**'",
                      bind(add_exclusion));
  add.add_option("--address", exclusion.address, "An address or a network")->type_name("CIDR");
  add.add_option("--page", exclusion.page, "A page; * and ** are wildcards")->type_name("PATTERN");
  add.add_option("--only-hostname", exclusion.hostname,
                 "Count only this host and others added this way; * is a wildcard")
      ->type_name("HOST");
  auto& list = command(app, options, "list", "List what is excluded",
                       "  analytics sites exclude list example.com", bind(list_exclusions));
  auto& remove = command(app, options, "remove", "Count it again",
                         "  analytics sites exclude remove example.com 999 --if-exists",
                         bind(remove_exclusion));
  for (auto* one : {&add, &list, &remove}) {
    required(*one, "domain", exclusion.domain, "The site", "DOMAIN");
  }
  required(remove, "id", exclusion.id, "Its id", "ID");
  remove.add_flag("--if-exists", exclusion.if_exists, "Succeed if it does not exist");
}

void add_sites(CLI::App& root, Options& options) {
  auto& app = noun(root, "sites", "Create, list, change and delete sites");
  auto& site = options.site;
  const auto bind = [&site](auto function) {
    return [&site, function](Context& c) { return function(site, c); };
  };
  auto& create =
      command(app, options, "create", "Create a site",
              "  analytics sites create example.com --timezone Europe/Berlin --if-not-exists",
              bind(create_site));
  required(create, "domain", site.domain, "Its domain", "DOMAIN");
  create.add_option("--timezone", site.timezone, "IANA name; default Etc/UTC")->type_name("TZ");
  create.add_flag("--if-not-exists", site.if_not_exists,
                  "Succeed if it exists with the same time zone");
  command(app, options, "list", "List sites", "  analytics sites list -o json",
          [](Context& c) { return list_sites(c); });
  auto& get = command(app, options, "get", "Show a site", "  analytics sites get example.com",
                      bind(get_site));
  required(get, "domain", site.domain, "Its domain", "DOMAIN");
  auto& update =
      command(app, options, "update", "Change time zone, domain, or how long events are kept",
              "  analytics sites update example.com --timezone Europe/Paris\n"
              "  analytics sites update example.com --keep 25mo --keep-totals yes",
              bind(update_site));
  required(update, "site", site.domain, "Its domain", "DOMAIN");
  update.add_option("--timezone", site.timezone, "IANA name")->type_name("TZ");
  update.add_option("--domain", site.new_domain, "The new domain; the data is kept")
      ->type_name("NEW");
  update.add_option("--keep", site.keep, "How long events are kept: forever, 90d, 25mo")
      ->type_name("TIME");
  update.add_option("--keep-totals", site.keep_totals, "Keep daily totals of older days: yes, no")
      ->check(CLI::IsMember({"yes", "no"}))
      ->type_name("YES|NO");
  update
      .add_option("--languages", site.languages, "Whether visitors' languages are counted: yes, no")
      ->check(CLI::IsMember({"yes", "no"}))
      ->type_name("YES|NO");
  update.add_option("--confirm", site.confirm, "The domain, to confirm that older data goes")
      ->type_name("DOMAIN");
  auto& remove =
      command(app, options, "delete", "Delete a site with all its data",
              "  analytics sites delete old.example.com --confirm old.example.com --if-exists",
              bind(delete_site));
  required(remove, "domain", site.domain, "Its domain", "DOMAIN");
  remove.add_option("--confirm", site.confirm, "The domain, to confirm")->type_name("DOMAIN");
  remove.add_flag("--if-exists", site.if_exists, "Succeed if it does not exist");
  auto& drops = command(app, options, "drops", "Show what was not counted, and why",
                        "  analytics sites drops example.com --days 30", bind(list_drops));
  required(drops, "domain", site.domain, "Its domain", "DOMAIN");
  drops.add_option("--days", site.days, "Number of days up to today; default 7")
      ->check(CLI::Range(1, 400))
      ->type_name("N");
  add_exclusions(app, options);
}

void add_goals(CLI::App& root, Options& options) {
  auto& app = noun(root, "goals", "Ensure, list and delete goals");
  auto& goal = options.goal;
  const auto bind = [&goal](auto function) {
    return [&goal, function](Context& c) { return function(goal, c); };
  };
  auto& ensure = command(app, options, "ensure", "Find or create a goal",
                         "  analytics goals ensure --site example.com --event Signup\n"
                         "  analytics goals ensure --site example.com --page '/blog/**'",
                         bind(ensure_goal));
  ensure.add_option("--event", goal.event, "An event's name")->type_name("NAME");
  ensure.add_option("--page", goal.page, "A page; * and ** are wildcards")->type_name("PATTERN");
  ensure.add_option("--display-name", goal.display_name, "The name that stats show")
      ->type_name("TEXT");
  auto& list = command(app, options, "list", "List goals",
                       "  analytics goals list --site example.com", bind(list_goals));
  auto& remove =
      command(app, options, "delete", "Delete a goal",
              "  analytics goals delete --site example.com 999 --if-exists", bind(delete_goal));
  required(remove, "id", goal.id, "Its id", "ID");
  remove.add_flag("--if-exists", goal.if_exists, "Succeed if it does not exist");
  for (auto* one : {&ensure, &list, &remove}) {
    required(*one, "--site", goal.site, "The site", "DOMAIN");
  }
}

void add_funnels(CLI::App& root, Options& options) {
  auto& app = noun(root, "funnels", "Ensure, list, show and delete funnels");
  auto& funnel = options.funnel;
  const auto bind = [&funnel](auto function) {
    return [&funnel, function](Context& c) { return function(funnel, c); };
  };
  auto& ensure = command(app, options, "ensure", "Create a funnel, or give it other steps",
                         "  analytics funnels ensure --site example.com Trial "
                         "--step page=/pricing --step event=Signup",
                         bind(ensure_funnel));
  ensure.add_option("--step", funnel.steps, "event=NAME or page=PATTERN; 2 to 8, in their order")
      ->required()
      ->type_name("STEP");
  ensure.add_option("--within", funnel.within, "Where all steps are to happen: visit, day")
      ->check(CLI::IsMember({"visit", "day"}))
      ->type_name("WHOLE");
  auto& list = command(app, options, "list", "List funnels",
                       "  analytics funnels list --site example.com", bind(list_funnels));
  auto& show =
      command(app, options, "show", "Show how far visitors came",
              "  analytics funnels show --site example.com Trial --period 7d", bind(show_funnel));
  show.add_option("--period", funnel.period,
                  "day, 7d, 30d, month, 6mo, 12mo or custom; default 30d")
      ->type_name("PERIOD");
  show.add_option("--date", funnel.date, "The period's last day; two for custom: FROM,TO")
      ->type_name("DATE");
  show.add_option("--filters", funnel.filters, "As in the Stats API: visit:source==Google")
      ->type_name("TEXT");
  auto& remove = command(app, options, "delete", "Delete a funnel",
                         "  analytics funnels delete --site example.com Trial --if-exists",
                         bind(delete_funnel));
  remove.add_flag("--if-exists", funnel.if_exists, "Succeed if it does not exist");
  for (auto* one : {&ensure, &list, &show, &remove}) {
    required(*one, "--site", funnel.site, "The site", "DOMAIN");
    if (one != &list) required(*one, "name", funnel.name, "The funnel's name", "NAME");
  }
}

void add_imports(CLI::App& root, Options& options) {
  auto& app = noun(root, "imports", "List and undo imports");
  auto& import = options.import;
  auto& list = command(app, options, "list", "List a site's imports",
                       "  analytics imports list --site example.com",
                       [&import](Context& c) { return list_imports(import, c); });
  auto& undo = command(app, options, "undo", "Remove everything that an import has added",
                       "  analytics imports undo --site example.com 8258a2266e8b7b28 --if-exists",
                       [&import](Context& c) { return undo_import(import, c); });
  for (auto* one : {&list, &undo}) {
    required(*one, "--site", import.site, "The site", "DOMAIN");
  }
  required(undo, "id", import.id, "The import", "ID");
  undo.add_flag("--if-exists", import.if_exists, "Succeed if it does not exist");
}

void add_apply(CLI::App& root, Options& options) {
  auto& apply = options.apply;
  auto& change = command(root, options, "apply", "Give the server what a file of sites says",
                         "  analytics apply -f sites.toml\n"
                         "  analytics apply -f sites.toml --prune --dry-run",
                         [&apply](Context& c) { return apply_sites(apply, c); });
  change.add_flag(
      "--prune", apply.prune,
      "Delete goals, funnels, links and exclusions of the file's sites that it does not name");
  auto& compare = command(root, options, "diff", "Compare a file of sites with the server",
                          "  analytics diff -f sites.toml",
                          [&apply](Context& c) { return diff_sites(apply, c); });
  for (auto* one : {&change, &compare}) {
    required(*one, "-f,--file", apply.file, "The file (TOML); - is stdin", "FILE");
  }
}

void add_event_filter(CLI::App& app, EventFilter& which) {
  const auto add = [&](const char* flag, std::string& value, const char* type, const char* text) {
    app.add_option(flag, value, text)->type_name(type);
  };
  add("--from", which.from, "TIME", "From this day in the site's time zone, or this moment");
  add("--to", which.to, "TIME", "To the end of this day, or before this moment");
  add("--page", which.page, "PATTERN", "On this page; * and ** are wildcards");
  add("--source", which.source, "SOURCE", "Of visits from this source, as stats show it");
  add("--prop", which.prop, "KEY[=VALUE]", "With this property");
  add("--import", which.import, "ID", "Of this import");
  add("--visitor-of", which.visitor_of, "EVENT-ID",
      "From this event's visitor on its UTC day; see export events --with-ids");
}

void add_events(CLI::App& root, Options& options) {
  auto& app = noun(root, "events", "Delete stored events");
  auto& events = options.events;
  auto& remove =
      command(app, options, "delete", "Delete events; --dry-run counts them",
              "  analytics events delete --site example.com --page '/test/**' --dry-run\n"
              "  analytics events delete --site example.com --source spam.example"
              " --confirm example.com",
              [&events](Context& c) { return delete_events(events, c); });
  required(remove, "--site", events.site, "The site", "DOMAIN");
  add_event_filter(remove, events.which);
  remove.add_option("--confirm", events.confirm, "The domain, to confirm")->type_name("DOMAIN");
}

void add_export(CLI::App& root, Options& options) {
  auto& app = noun(root, "export", "Export raw data");
  auto& exporting = options.exporting;
  auto& events =
      command(app, options, "events", "Write a site's events in a form that replay reads",
              "  analytics export events --site example.com > events.ndjson\n"
              "  analytics export events --site example.com --from 2026-11-01 -o csv",
              [&exporting](Context& c) { return export_events(exporting, c); });
  events.preparse_callback(
      [&options](std::size_t) { options.invocation.own_form = OutputForm::kNdjson; });
  required(events, "--site", exporting.site, "The site", "DOMAIN");
  add_event_filter(events, exporting.which);
  events.add_flag("--with-ids", exporting.with_ids, "With an id that an event keeps");
  auto& sites = options.exporting_sites;
  auto& writing = command(app, options, "sites", "Write a file of sites that apply reads",
                          "  analytics export sites > sites.toml\n"
                          "  analytics export sites --with-secrets --out move.toml",
                          [&sites](Context& c) { return export_sites(sites, c); });
  writing.add_option("--out", sites.out, "A new file that only you can read")->type_name("FILE");
  writing.add_flag("--with-secrets", sites.with_secrets,
                   "With the secrets of shared links, so that they stay valid on another server");
}

void add_stats(CLI::App& root, Options& options) {
  auto& stats = options.stats;
  auto& app =
      command(root, options, "stats", "Show the numbers of a site, or of all",
              "  analytics stats\n"
              "  analytics stats --site example.com\n"
              "  analytics stats --site example.com --period 7d --by source --metrics "
              "visitors,bounce_rate\n"
              "  analytics stats --site example.com --by day --filter 'page==/blog/**' -o csv",
              [&stats](Context& c) { return show_stats(stats, c); });
  app.add_option("--site", stats.site, "The site; without it a table of all")->type_name("DOMAIN");
  app.add_option("--by", stats.by, "A table by props:KEY, " + join(stats_words(), ", "))
      ->type_name("PROPERTY");
  app.add_option("--metrics", stats.metrics, "Of " + join(stats_metrics(), ", "))
      ->type_name("LIST");
  app.add_option(
         "--filter", stats.filters,
         "Count only events with PROPERTY==VALUE, or !=; | means or, * is a wildcard; repeatable")
      ->type_name("CONDITION")
      ->allow_extra_args(false);
  app.add_option("--period", stats.period,
                 "day, 24h, 7d, 30d (the default) or any Nd, 6mo or any Nmo, month, year, all, or "
                 "FROM,TO; those with a number end with yesterday or with the last month")
      ->type_name("PERIOD");
  app.add_option("--date", stats.date, "A day instead of today")->type_name("DAY");
  app.add_option("--compare", stats.compare,
                 "With previous (the default without --by), year, FROM,TO or none")
      ->type_name("PERIOD");
  app.add_option("--limit", stats.limit, "Rows of a table; default 100")
      ->check(CLI::Range(1, 10'000))
      ->type_name("N");
}

void add_send(CLI::App& root, Options& options) {
  auto& send = options.send;
  auto& app = command(root, options, "send", "Send one event",
                      "  analytics send --site example.com --url https://example.com/pricing\n"
                      "  analytics send --site example.com --url https://example.com/ --name "
                      "Signup --prop plan=pro",
                      [&send](Context& c) { return send_event(send, c); });
  required(app, "--site", send.site, "The site", "DOMAIN");
  app.add_option("--url", send.url, "The page")->required()->type_name("URL");
  app.add_option("--name", send.name, "The event; default pageview")->type_name("NAME");
  app.add_option("--referrer", send.referrer, "Where the visitor came from")->type_name("URL");
  app.add_option("--prop", send.props, "A property; repeatable")
      ->type_name("K=V")
      ->allow_extra_args(false);
  app.add_option("--user-agent", send.user_agent, "The visitor's browser")->type_name("UA");
  app.add_option("--ip", send.ip, "The visitor's address")->type_name("ADDRESS");
  app.add_flag("--explain", send.explain, "Store nothing; show what would be recorded, and why");
}

void add_rest(CLI::App& root, Options& options) {
  command(root, options, "health", "Check whether the service accepts events",
          "  analytics health -o json", [](Context& c) { return show_health(c); });
  auto& config = noun(root, "config", "Show settings");
  command(config, options, "show", "Show every setting and its origin", "  analytics config show",
          [](Context& c) { return show_config(c); });
  auto& help = command(root, options, "help", "List the commands, or explain a topic",
                       "  analytics help exit-codes",
                       [&options](Context& c) { return show_help(options.topic, c); });
  help.preparse_callback([&options](std::size_t) { options.invocation.needs_settings = false; });
  help.add_option("topic", options.topic, join(help_topics(), ", "))->type_name("TOPIC");
}

}  // namespace

const std::map<std::string, std::string>& setting_options() {
  static const std::map<std::string, std::string> kNames = {
      {"--server", "url"},
      {"--api-key-file", "api_key_file"},
      {"--config", "config"},
      {"--profile", "profile"},
      {"--output", "output"},
      {"--progress", "progress"},
      {"--connect-timeout", "connect_timeout"},
      {"--timeout", "timeout"},
      {"--retries", "retries"},
      {"--cacert", "cacert"}};
  return kNames;
}

void add_commands(CLI::App& root, Options& options) {
  root.require_subcommand(1);
  add_global(root, options);
  add_sites(root, options);
  add_links(root, options);
  add_goals(root, options);
  add_funnels(root, options);
  add_imports(root, options);
  add_apply(root, options);
  add_events(root, options);
  add_export(root, options);
  add_stats(root, options);
  add_reports(root, options);
  add_send(root, options);
  add_replay(root, options);
  add_rest(root, options);
}

}  // namespace analytics::cli
