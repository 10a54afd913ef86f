#include "daemon/args.h"

#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>

#include "common/examples_first.h"
#include "common/text.h"
#include "common/version.h"

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
}

void add_keys(CLI::App& app, Arguments& arguments) {
  auto& keys = *app.add_subcommand("keys", "Issue, list and revoke API keys");
  keys.require_subcommand(1);
  keys.footer("");  // not the root's
  keys.fallthrough();
  const auto choose = [&arguments](admin::KeyCommand::Verb verb) {
    return [&arguments, verb] {
      arguments.command = Arguments::Command::kKeys;
      arguments.keys.verb = verb;
    };
  };
  auto& create = *keys.add_subcommand("create", "Create a key and print it");
  create.fallthrough();
  create.footer(
      "  analyticsd keys create --account acme --label 'deploy script' --out key\n"
      "  analyticsd keys create --account acme --scope stats:read --site example.com --expires "
      "90d");
  create.add_option("--account", arguments.keys.account, "The key's account; created if it is new")
      ->type_name("NAME")
      ->required();
  create.add_option("--label", arguments.keys.label, "A note on its purpose")->type_name("TEXT");
  create.add_option("--scope", arguments.keys.scopes, "A permission; repeatable; default: all")
      ->type_name("SCOPE")
      ->allow_extra_args(false);
  create.add_option("--site", arguments.keys.sites, "Limit it to this site; repeatable")
      ->type_name("DOMAIN")
      ->allow_extra_args(false);
  create
      .add_option("--expires", arguments.keys.expires,
                  "The key expires after this time, such as 90d")
      ->type_name("TIME");
  create
      .add_option("--rate-limit", arguments.keys.rate_limit,
                  "Requests per hour instead of rate_limit_per_hour; 0: no limit")
      ->check(CLI::Range(std::int64_t{0}, std::int64_t{1'000'000'000}))
      ->type_name("N");
  create.add_option("--out", arguments.key_file, "Write the key to this new file with mode 0600")
      ->type_name("FILE");
  create.callback(choose(admin::KeyCommand::Verb::kCreate));
  auto& list = *keys.add_subcommand("list", "List keys, without the secrets");
  list.fallthrough();
  list.footer("  analyticsd keys list");
  list.callback(choose(admin::KeyCommand::Verb::kList));
  auto& revoke = *keys.add_subcommand("revoke", "Revoke a key immediately");
  revoke.fallthrough();
  revoke.footer("  analyticsd keys revoke 3");
  revoke.add_option("id", arguments.keys.key, "Its id or prefix")->type_name("ID")->required();
  revoke.callback(choose(admin::KeyCommand::Verb::kRevoke));
}

void add_compact(CLI::App& app, Arguments& arguments) {
  auto& compact = *app.add_subcommand(
      "compact",
      "Turn all events that may leave their rows into columns, and print how many there are");
  compact.fallthrough();
  compact.footer("  analyticsd compact --db ./analytics.db");
  compact.callback([&arguments] { arguments.command = Arguments::Command::kCompact; });
}

}  // namespace

ParsedArguments parse_arguments(int argc, char** argv) {
  Arguments arguments;
  CLI::App app("analyticsd: collects web-analytics events durably and serves the API",
               "analyticsd");
  app.formatter(std::make_shared<ExamplesFirst>());
  app.footer(
      "  analyticsd keys create --account acme --out key\n"
      "  analyticsd serve --listen 127.0.0.1:8000\n"
      "  analyticsd serve --config /etc/analyticsd/analyticsd.toml");
  app.set_version_flag("--version", std::string("analyticsd ") + kVersion);
  app.require_subcommand(0, 1);
  add_common(app, arguments);
  add_serve(app, arguments);
  auto& serve = *app.add_subcommand("serve", "Run the daemon (the default)");
  serve.fallthrough();
  serve.footer(
      "  analyticsd serve --db ./analytics.db --listen 127.0.0.1:8000 --admin-listen 9100");
  add_keys(app, arguments);
  add_compact(app, arguments);
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
