#include <CLI/CLI.hpp>

#include "cli/command_parts.h"
#include "cli/replay/formats/open_reader.h"

namespace analytics::cli {
namespace {

/// Adds the options that select records, shared by `replay` and `replay check`.
void add_replay_input(CLI::App& app, ReplayOptions& options) {
  app.add_option("files", options.files, "Files, or folders of files; - is stdin")
      ->type_name("FILE");
  app.add_option("--format", options.format, format_names() + ": see 'help formats'")
      ->type_name("FORMAT");
  app.add_option("--log-format", options.log_format,
                 "The form of the lines of a log, as GoAccess, nginx and Apache write it, or a"
                 " regular expression with named groups")
      ->type_name("FORM");
  app.add_option("--date-format", options.date_format,
                 "The form of dates, as strptime takes it, such as %d/%m/%Y")
      ->type_name("FORM");
  app.add_option("--time-format", options.time_format,
                 "The format of the times after them, such as %H:%M:%S")
      ->type_name("FORM");
  app.add_option("--encoding", options.encoding,
                 "The encoding of the files, such as windows-1252 or Big5; default UTF-8")
      ->type_name("NAME");
  app.add_option("--timezone", options.timezone, "The zone of times without one; default UTC")
      ->type_name("ZONE");
  app.add_option("--map", options.map, "The column of a field, of CSV and JSON; repeatable")
      ->type_name("FIELD=COLUMN")
      ->allow_extra_args(false);
  app.add_option("--site", options.site, "The site of records that do not name one")
      ->type_name("DOMAIN");
  app.add_option("--site-override", options.site_override, "The site of all records")
      ->type_name("DOMAIN");
  app.add_option("--base", options.base,
                 "The start of page URLs in access logs, such as https://example.com")
      ->type_name("URL");
  app.add_option("--include", options.include, "Count only paths that match; repeatable")
      ->type_name("GLOB")
      ->allow_extra_args(false);
  app.add_option("--exclude", options.exclude, "Ignore paths that match; repeatable")
      ->type_name("GLOB")
      ->allow_extra_args(false);
  app.add_option("--import-id", options.import_id, "The name of the import")->type_name("NAME");
  app.add_option("--source", options.source, "The source file's name; default: its first lines")
      ->type_name("NAME");
}

/// Adds the options that determine how and how fast `replay` sends records.
void add_replay_sending(CLI::App& app, ReplayOptions& options) {
  app.add_flag("--keep-bots", options.keep_bots, "Ask the server to store bots too");
  app.add_flag("--downloads", options.downloads,
               "Send requests for PDFs, archives and the like as File Download events");
  app.add_option_function<std::string>(
         "--time",
         [&options](const std::string& text) {
           if (text != "now") throw CLI::ValidationError("--time", "takes only: now");
           options.time_now = true;
         },
         "now: use the current time instead of the records' times")
      ->type_name("now");
  app.add_option("--dedupe", options.dedupe, "id: store each record that has an id once")
      ->type_name("id");
  app.add_option("--batch", options.batch,
                 "Records per request, or off for single events; default 1000")
      ->type_name("N|off");
  app.add_option("--concurrency", options.concurrency, "Concurrent requests of single events")
      ->check(CLI::Range(1, 512))
      ->type_name("N");
  app.add_option("--rate", options.rate, "Maximum rate, such as 500/s")->type_name("RATE");
  app.add_option("--speed", options.speed, "Pace by the events' times, such as 2x")
      ->type_name("FACTOR");
  app.add_option("--max-gap", options.max_gap, "With --speed: the longest wait between events")
      ->type_name("TIME");
  app.add_flag("--follow", options.follow, "Wait for new lines at the end of the file");
  app.add_option("--max-errors", options.max_errors,
                 "Stop after this number or percentage of rejects")
      ->type_name("N|P%");
  app.add_option("--rejects", options.rejects, "Write rejected records here")->type_name("FILE");
  app.add_option("--from-rejects", options.from_rejects,
                 "Send the records of a reject file instead of files")
      ->type_name("FILE");
  app.add_option("--checkpoint", options.checkpoint,
                 "Keep the checkpoint here instead of in the state folder")
      ->type_name("PATH");
  app.add_flag("--restart", options.restart, "Ignore the checkpoint of earlier runs");
  app.add_flag("--accept-duplicates", options.accept_duplicates,
               "Continue even if some records may be stored twice");
}

}  // namespace

void add_replay(CLI::App& root, Options& options) {
  auto& replay_options = options.replay;
  auto& app = command(root, options, "replay", "Send the events of files",
                      "  analytics replay --site example.com access.log.gz\n"
                      "  analytics replay events.ndjson --rejects rejects.ndjson -o json\n"
                      "  analytics replay --site example.com visits.csv --map url=page --dry-run",
                      [&replay_options](Context& c) { return replay(replay_options, c); });
  add_replay_input(app, replay_options);
  add_replay_sending(app, replay_options);
  auto& check =
      command(app, options, "check", "Compare files with what the server has stored of them",
              "  analytics replay check --site example.com access.log.gz || test $? = 9",
              [&replay_options](Context& c) { return check_replay(replay_options, c); });
  add_replay_input(check, replay_options);
  app.callback([&options, &app, &check] {  // CLI11 calls this after the callback of the subcommand
    if (!check.parsed()) {
      options.invocation.command = [&options](Context& c) { return replay(options.replay, c); };
      return;
    }
    // An option that only `replay` has, given before the word "check", is an error.
    for (const auto* option : app.get_options()) {
      const auto name = option->get_name();
      if (option->count() > 0 && check.get_option_no_throw(name) == nullptr) {
        throw CLI::ValidationError(name, "has no effect on 'replay check'");
      }
    }
  });
}

}  // namespace analytics::cli
