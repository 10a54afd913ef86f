#include "daemon/commands/args.h"

#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>

#include "common/args/help_formatter.h"
#include "common/run/version.h"
#include "common/text/text.h"

namespace analytics {
namespace {

void add_common(CLI::App& app, Arguments& arguments) {
  app.add_option("--db", arguments.overrides.database, "The database file")->type_name("FILE");
  app.add_option("--config", arguments.overrides.file, "The settings file")->type_name("FILE");
}

void add_serve(CLI::App& app, Arguments& arguments) {
  app.add_option("--listen", arguments.overrides.listen,
                 "Listen here; repeatable; port 0 picks one")
      ->type_name("ADDR:PORT")
      ->allow_extra_args(false);
  app.add_option("--admin-listen", arguments.overrides.admin_listen,
                 "Serve /metrics here; a bare port listens on 127.0.0.1; repeatable")
      ->type_name("[ADDR:]PORT")
      ->allow_extra_args(false);
  app.add_option("--base-url", arguments.overrides.base_url,
                 "The start of shared links, such as https://stats.example.com")
      ->type_name("URL");
  app.add_option("--geoip", arguments.overrides.geoip,
                 "A MaxMind DB file (MMDB) to look up countries of addresses")
      ->type_name("FILE");
  auto& upgrade = arguments.overrides.upgrade;
  app.add_flag_callback(
      "--no-migrate", [&upgrade] { upgrade.is_allowed = false; },
      "Refuse a database of an older version instead of upgrading it");
  app.add_flag_callback(
      "--no-copy", [&upgrade] { upgrade.copies_first = false; },
      "Do not copy the database before an upgrade");
  app.add_flag("--check-config", arguments.check_config,
               "Validate the settings and exit: 0 if valid, 3 after listing every problem");
}

using Verb = admin::OperatorCommand::Verb;

/// Adds a command on keys, accounts or sites to its group, such as `create` to `keys`. Choosing the
/// command sets Command::kOperate and `verb`.
CLI::App& add_verb(CLI::App& group, Arguments& arguments, Verb verb, const std::string& name,
                   const std::string& description, const std::string& examples) {
  auto& command = *group.add_subcommand(name, description);
  command.fallthrough();
  command.footer(examples);
  command.callback([&arguments, verb] {
    arguments.command = Arguments::Command::kOperate;
    arguments.operation.verb = verb;
  });
  return command;
}

CLI::App& add_group(CLI::App& app, const std::string& name, const std::string& description) {
  auto& group = *app.add_subcommand(name, description);
  group.require_subcommand(1);
  group.footer("");  // without an empty footer, CLI11 would show that of the root command
  group.fallthrough();
  return group;
}

void add_output(CLI::App& command, Arguments& arguments) {
  command
      .add_option_function<std::string>(
          "-o,--output",
          [&arguments](const std::string& form) { arguments.operation.is_json = form == "json"; },
          "text or json")
      ->check(CLI::IsMember({"text", "json"}))
      ->type_name("FORM");
}

void add_key_file(CLI::App& command, Arguments& arguments) {
  command.add_option("--out", arguments.key_file, "Write the key to this new file with mode 0600")
      ->type_name("FILE");
}

void add_key_create(CLI::App& keys, Arguments& arguments) {
  auto& command = arguments.operation;
  auto& create =
      add_verb(keys, arguments, Verb::kCreateKey, "create", "Create a key and print it",
               "  analyticsd keys create --account acme --label 'deploy script' --out key\n"
               "  analyticsd keys create --account acme --scope stats:read --site example.com "
               "--expires 90d");
  create.add_option("--account", command.account, "The key's account; created if it is new")
      ->type_name("NAME")
      ->required();
  create.add_option("--label", command.label, "A note on its purpose")->type_name("TEXT");
  create.add_option("--scope", command.scopes, "A permission; repeatable; default: all")
      ->type_name("SCOPE")
      ->allow_extra_args(false);
  create.add_option("--site", command.sites, "Limit it to this site; repeatable")
      ->type_name("DOMAIN")
      ->allow_extra_args(false);
  create.add_option("--expires", command.expires, "The key expires after this time, such as 90d")
      ->type_name("TIME");
  create
      .add_option("--rate-limit", command.rate_limit,
                  "Requests per hour instead of rate_limit_per_hour; 0: no limit")
      ->check(CLI::Range(std::int64_t{0}, std::int64_t{1'000'000'000}))
      ->type_name("N");
  add_key_file(create, arguments);
  create.add_flag("--init", arguments.init, "Make the database if it is not there");
}

void add_keys(CLI::App& app, Arguments& arguments) {
  auto& keys = add_group(app, "keys", "Issue, list, rotate and revoke API keys");
  add_key_create(keys, arguments);
  auto& list = add_verb(keys, arguments, Verb::kListKeys, "list", "List keys, without the secrets",
                        "  analyticsd keys list\n  analyticsd keys list -o json");
  add_output(list, arguments);
  auto& rotate = add_verb(keys, arguments, Verb::kRotateKey, "rotate",
                          "Print a new key; the old one keeps working for a while",
                          "  analyticsd keys rotate 3 --overlap 7d --out key");
  rotate.add_option("id", arguments.operation.key, "Its id or prefix")->type_name("ID")->required();
  arguments.operation.overlap = "7d";
  rotate
      .add_option("--overlap", arguments.operation.overlap,
                  "How long the old key still works; default: 7d")
      ->type_name("TIME");
  add_key_file(rotate, arguments);
  auto& revoke = add_verb(keys, arguments, Verb::kRevokeKey, "revoke", "Revoke a key immediately",
                          "  analyticsd keys revoke 3");
  revoke.add_option("id", arguments.operation.key, "Its id or prefix")->type_name("ID")->required();
}

void add_accounts(CLI::App& app, Arguments& arguments) {
  auto& command = arguments.operation;
  auto& accounts = add_group(app, "accounts", "List, rename and delete accounts");
  auto& list = add_verb(accounts, arguments, Verb::kListAccounts, "list",
                        "List accounts with their sites and keys", "  analyticsd accounts list");
  add_output(list, arguments);
  auto& rename = add_verb(accounts, arguments, Verb::kRenameAccount, "rename",
                          "Give an account another name", "  analyticsd accounts rename acme Acme");
  rename.add_option("name", command.account, "Its name")->type_name("NAME")->required();
  rename.add_option("new", command.new_name, "Its new name")->type_name("NEW")->required();
  auto& remove = add_verb(accounts, arguments, Verb::kDeleteAccount, "delete",
                          "Delete an account that has no sites, and its keys",
                          "  analyticsd accounts delete acme --confirm acme");
  remove.add_option("name", command.account, "Its name")->type_name("NAME")->required();
  auto confirmed = std::make_shared<std::string>();
  remove.add_option("--confirm", *confirmed, "Its name once more")->type_name("NAME")->required();
  remove.parse_complete_callback([&command, confirmed] {
    if (*confirmed == command.account) return;
    throw CLI::ValidationError("--confirm", "is not the account's name: nothing was deleted");
  });
}

/// Adds a subcommand to `app`. Choosing the subcommand sets Arguments::command to `command`.
CLI::App& add_upkeep(CLI::App& app, Arguments& arguments, Arguments::Command command,
                     const std::string& name, const std::string& description,
                     const std::string& examples) {
  auto& added = *app.add_subcommand(name, description);
  added.fallthrough();
  added.footer(examples);
  added.callback([&arguments, command] { arguments.command = command; });
  return added;
}

void add_backup(CLI::App& app, Arguments& arguments) {
  using Command = Arguments::Command;
  auto& backup = add_upkeep(app, arguments, Command::kBackup, "backup",
                            "Write a checked copy of the database, while the daemon runs or not",
                            "  analyticsd backup /var/backups/analytics.db\n"
                            "  analyticsd backup --rotate 7d,4w,6m /var/backups/analytics\n"
                            "  analyticsd backup - | zstd > backup.db.zst");
  backup
      .add_option("file", arguments.backup,
                  "A new file, a folder in which it gets a name, or - for stdout")
      ->type_name("FILE")
      ->required();
  backup
      .add_option("--rotate", arguments.rotation,
                  "How many daily, weekly and monthly backups stay in the folder")
      ->type_name("7d,4w,6m");
  backup.add_flag("--keep-salts", arguments.with_salts,
                  "Keep the salts of the last two days, to move a service to another machine");
  auto& restore = add_upkeep(app, arguments, Command::kRestore, "restore",
                             "Put a backup in the place of the database, which is kept aside",
                             "  analyticsd restore /var/backups/analytics.db\n"
                             "  zstd -dc backup.db.zst | analyticsd restore -");
  restore.add_option("file", arguments.backup, "The backup, or - for stdin")
      ->type_name("FILE")
      ->required();
}

void add_check(CLI::App& app, Arguments& arguments) {
  auto& check = add_upkeep(app, arguments, Arguments::Command::kCheck, "check",
                           "Look for damage in the database, a line for each finding",
                           "  analyticsd check\n  analyticsd check --quick\n"
                           "  analyticsd check --recount --site example.com");
  auto& scope = arguments.check;
  auto* quick = check.add_flag("--quick", scope.quick, "Read pages and checksums alone");
  auto* recount =
      check.add_flag("--recount", scope.recounts,
                     "Also compare what queries answer with a plain count of all events");
  recount->excludes(quick);
  check.add_option("--site", scope.site, "Recount this site alone")
      ->type_name("DOMAIN")
      ->needs(recount);
}

void add_doctor(CLI::App& app, Arguments& arguments) {
  auto& doctor = add_upkeep(app, arguments, Arguments::Command::kDoctor, "doctor",
                            "Say what an experienced operator would look at first, and what to do",
                            "  analyticsd doctor\n  analyticsd doctor -o json");
  add_output(doctor, arguments);
}

void add_cluster(CLI::App& app, Arguments& arguments) {
  using Command = Arguments::Command;
  auto& cluster =
      add_group(app, "cluster",
                "Manage the registry that daemons share and the events shipped to ClickHouse");
  auto& status = add_upkeep(cluster, arguments, Command::kClusterStatus, "status",
                            "Say how far the running daemon has shipped its events",
                            "  analyticsd cluster status\n  analyticsd cluster status -o json");
  add_output(status, arguments);
  auto& check =
      add_upkeep(cluster, arguments, Command::kClusterCheck, "check",
                 "Count all that is shipped here and in ClickHouse, a line for each difference",
                 "  analyticsd cluster check\n  analyticsd cluster check --repair");
  check.add_flag("--repair", arguments.repair,
                 "Have the running daemon send again what differs, and count once more");
  add_upkeep(cluster, arguments, Command::kClusterLeave, "leave",
             "Share and ship nothing any more; for a database that no daemon has open",
             "  analyticsd cluster leave --db ./analytics.db");
  add_upkeep(cluster, arguments, Command::kClusterAdopt, "adopt",
             "Make an older copy of a node's database, as of a backup, a node of its own",
             "  analyticsd cluster adopt");
  add_upkeep(cluster, arguments, Command::kClusterAcceptRegistry, "accept-registry",
             "Take over a registry that has lost changes, as after a restore of PostgreSQL",
             "  analyticsd cluster accept-registry");
  add_upkeep(cluster, arguments, Command::kClusterUpgrade, "upgrade",
             "Let nodes make changes that need their version, once all of them have it",
             "  analyticsd cluster upgrade");
  auto& remove =
      add_upkeep(cluster, arguments, Command::kClusterRemove, "remove",
                 "Forget a node that will not come back", "  analyticsd cluster remove node3");
  remove.add_option("NODE", arguments.node, "Its name, as in cluster status")->required();
}

void add_demo(CLI::App& app, Arguments& arguments) {
  add_upkeep(app, arguments, Arguments::Command::kDemo, "demo",
             "Show what it does: a temporary database with events of an invented site",
             "  analyticsd demo");
}

void add_setup(CLI::App& app, Arguments& arguments) {
  auto& answers = arguments.setup;
  auto& setup = add_upkeep(
      app, arguments, Arguments::Command::kSetup, "setup",
      "Write settings, a proxy's file and a key, and create the first site; asks for the rest",
      "  sudo analyticsd setup\n"
      "  sudo analyticsd setup --url https://stats.example.com --proxy nginx --site example.com");
  setup.add_option("--url", answers.url, "The service's public address")->type_name("URL");
  setup.add_option("--proxy", answers.proxy, "The reverse proxy on this machine")
      ->type_name("nginx|caddy|haproxy|none");
  setup.add_option("--site", answers.site, "The first site")->type_name("DOMAIN");
  setup.add_option("--timezone", answers.timezone, "The site's time zone; default: this machine's")
      ->type_name("ZONE");
  setup.add_option("--account", answers.account, "The key's account; default: me")
      ->type_name("NAME");
  setup.add_option("--geoip", answers.geoip, "A MaxMind DB for countries, or none")
      ->type_name("FILE");
  setup
      .add_option("--out", answers.folder,
                  "The folder for the key and the proxy's file; default: .")
      ->type_name("FOLDER");
}

void add_compact(CLI::App& app, Arguments& arguments) {
  add_upkeep(app, arguments, Arguments::Command::kCompact, "compact",
             "Turn all events that may leave their rows into columns, and print how many there are",
             "  analyticsd compact --db ./analytics.db");
}

void add_sites(CLI::App& app, Arguments& arguments) {
  auto& command = arguments.operation;
  auto& sites = add_group(app, "sites", "Give sites to other accounts");
  auto& move = add_verb(sites, arguments, Verb::kMoveSite, "move",
                        "Give a site to another account, with its links, goals and events",
                        "  analyticsd sites move example.com --to acme");
  move.add_option("domain", command.site, "The site")->type_name("DOMAIN")->required();
  move.add_option("--to", command.account, "The account, which must exist")
      ->type_name("ACCOUNT")
      ->required();
}

}  // namespace

void add_commands(CLI::App& app, Arguments& arguments) {
  app.require_subcommand(0, 1);
  add_common(app, arguments);
  add_serve(app, arguments);
  auto& serve = *app.add_subcommand("serve", "Run the daemon (the default)");
  serve.fallthrough();
  serve.footer(
      "  analyticsd serve --db ./analytics.db --listen 127.0.0.1:8000 --admin-listen 9100");
  add_demo(app, arguments);
  add_setup(app, arguments);
  add_keys(app, arguments);
  add_accounts(app, arguments);
  add_sites(app, arguments);
  add_backup(app, arguments);
  add_check(app, arguments);
  add_doctor(app, arguments);
  add_compact(app, arguments);
  add_cluster(app, arguments);
}

ParsedArguments parse_arguments(int argc, char** argv) {
  Arguments arguments;
  CLI::App app("analyticsd: collects web-analytics events durably and serves the API",
               "analyticsd");
  app.formatter(std::make_shared<HelpFormatter>());
  app.footer(
      "  analyticsd keys create --account acme --out key\n"
      "  analyticsd serve --listen 127.0.0.1:8000\n"
      "  analyticsd serve --config /etc/analyticsd/analyticsd.toml");
  app.set_version_flag("--version", std::string("analyticsd ") + kVersion);
  add_commands(app, arguments);
  try {
    app.parse(argc, argv);
    return {std::move(arguments), ExitCode::kOk};
  } catch (const CLI::Success& done) {
    app.exit(done, std::cout, std::cerr);
    return {std::nullopt, ExitCode::kOk};
  } catch (const CLI::ParseError& error) {
    std::cerr << "analyticsd: " << visible(error.what()) << "\nTry 'analyticsd --help'.\n";
    return {std::nullopt, ExitCode::kUsage};
  }
}

}  // namespace analytics
