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
  std::string log_format;     ///< Format of a log's lines; empty: one of the known formats.
  std::string date_format;    ///< Date format of strptime(3); empty: detected from each time.
  std::string time_format;    ///< Format of strptime(3) for the text after the date; empty: none.
  std::string encoding;       ///< Encoding of the files, as named by iconv(3); empty: UTF-8.
  std::string timezone;       ///< IANA time zone of times without an offset; empty: UTC.
  std::string site;           ///< Site of records that name none, or several separated by commas.
  std::string site_override;  ///< Site of all records; empty: `site` or each record's own.
  std::string base;           ///< Prefix of page URLs; empty: https:// and the site.
  std::vector<std::string> include;  ///< Globs of logged paths to import; empty: all.
  std::vector<std::string> exclude;  ///< Globs of logged paths to leave out.
  bool keep_bots = false;            ///< True to import the events of bots too.
  bool downloads = false;            ///< True to import requests for documents as downloads.
  bool time_now = false;             ///< True to send events without their recorded times.
  int concurrency = 16;              ///< Maximum number of single-event requests at a time.
  std::string rate;  ///< Maximum record rate, as "500/s"; empty: as fast as the server answers.
  std::string max_errors;      ///< Maximum rejected records, as "10" or "1%"; empty: no limit.
  std::string rejects;         ///< Path of the reject file; empty: rejects are not written.
  std::string batch = "1000";  ///< Records per request, or "off".
  std::string import_id;       ///< Name of the import; empty: derived from source file and sites.
  std::string source;          ///< Name of the source file; empty: identified by its first lines.
  std::string checkpoint;  ///< Checkpoint file; empty: one per source file, in the state folder.
  bool restart = false;    ///< True to ignore the checkpoints of earlier runs.
  bool accept_duplicates = false;  ///< True to continue even if records may be stored twice.
  std::string dedupe;  ///< Field by which the server recognises repeated events: "id", or empty.
  std::vector<std::string> map;  ///< Columns to read fields from, each as "field=column".
  std::string speed;         ///< Speed relative to the recorded times, as "2x"; empty: no pacing.
  std::string max_gap;       ///< Longest pause between records, as "1s"; empty: no limit.
  bool follow = false;       ///< True to wait for new lines in the last file.
  std::string from_rejects;  ///< Reject file to read instead of `files`.
};
/// Sends the records of the files to the server as events; with --dry-run, prints a summary
/// instead.
Outcome<ExitCode> replay(const ReplayOptions&, Context&);
/// Reports which events of the files the server has stored and which are missing.
Outcome<ExitCode> check_replay(const ReplayOptions&, Context&);

}  // namespace analytics::cli
