#pragma once

#include <set>
#include <string>
#include <vector>

#include "cli/frame/context.h"
#include "cli/frame/exit_code.h"

/// Runs the commands `replay` and `replay check`.
namespace analytics::cli {

struct ReplayOptions {
  std::vector<std::string> command_line;  ///< The command line as the user typed it.
  std::vector<std::string> files;         ///< Input files; "-" is stdin.
  std::set<std::string> found{};          ///< Elements of `files` found in a folder or an archive.
  std::string format = "auto";            ///< Input format; see replay/formats/open_reader.h.
  std::string log_format;   ///< Format of a log's lines; empty for one of the known formats.
  std::string date_format;  ///< Date format for strptime(3); empty to detect it from each time.
  /// Format for strptime(3) of the text after the date; empty for none.
  std::string time_format;
  std::string encoding;       ///< Encoding of the files, as named by iconv(3); empty for UTF-8.
  std::string timezone;       ///< IANA time zone of times without an offset; empty for UTC.
  std::string site;           ///< Site of records that name none, or several separated by commas.
  std::string site_override;  ///< Site of all records; empty to use each record's own, or `site`.
  std::string base;           ///< Prefix of page URLs; empty for https:// and the site.
  std::vector<std::string> include;  ///< Globs of logged paths to import; empty for all paths.
  std::vector<std::string> exclude;  ///< Globs of logged paths to leave out.
  bool keep_bots = false;            ///< True to import the events of bots too.
  bool downloads = false;            ///< True to import requests for documents as downloads.
  bool time_now = false;             ///< True to send events without their recorded times.
  int concurrency = 16;              ///< Maximum number of single-event requests at a time.
  std::string rate;                  ///< Maximum record rate, as "500/s"; empty for no limit.
  /// Maximum number of rejected records, as "10" or "1%"; empty for no limit.
  std::string max_errors;
  std::string rejects;         ///< Path of the reject file; empty to write none.
  std::string batch = "1000";  ///< Records per request, or "off".
  /// Name of the import; empty to derive it from source file and sites.
  std::string import_id;
  /// Name of the source file; empty to identify it by its first lines.
  std::string source;
  std::string checkpoint;  ///< Checkpoint file; empty for one per source file in the state folder.
  bool restart = false;    ///< True to ignore the checkpoints of earlier runs.
  bool accept_duplicates = false;  ///< True to continue even if records may be stored twice.
  /// Field by which the server recognises repeated events: "id", or empty for none.
  std::string dedupe;
  std::vector<std::string> map;  ///< Columns to read fields from, each as "field=column".
  /// Speed relative to the recorded times, as "2x"; empty for no pacing.
  std::string speed;
  std::string max_gap;       ///< Longest pause between records, as "1s"; empty for no limit.
  bool follow = false;       ///< True to wait for new lines in the last file.
  std::string from_rejects;  ///< Reject file to read instead of `files`.
};
/// Sends the records of the files to the server as events; with --dry-run, prints a summary
/// instead.
Outcome<ExitCode> replay(const ReplayOptions&, Context&);
/// Reports which events of the files the server has stored and which are missing.
Outcome<ExitCode> check_replay(const ReplayOptions&, Context&);

}  // namespace analytics::cli
