#pragma once

#include <set>
#include <string>
#include <vector>

#include "cli/frame/context.h"
#include "cli/frame/exit_code.h"

/// Runs the commands `replay` and `replay check`.
namespace analytics::cli {

struct ReplayOptions {
  std::vector<std::string> command_line;  ///< Arguments as typed.
  std::vector<std::string> files;         ///< Input files; "-" is stdin.
  std::set<std::string> found{};  ///< Those of `files` that were found in a folder or an archive.
  std::string format = "auto";    ///< Input format; see replay/formats/open_reader.h.
  std::string log_format;         ///< Format of a log's lines; empty: one of the known formats.
  std::string date_format;        ///< Date format of strptime(3); empty: detected from each time.
  std::string time_format;  ///< Format of strptime(3) for the text after the date; empty: none.
  std::string encoding;     ///< Encoding of the files, as named by iconv(3); empty: UTF-8.
  std::string timezone;     ///< IANA time zone of times without an offset; empty: UTC.
  std::string site;
  std::string site_override;
  std::string base;
  std::vector<std::string> include;
  std::vector<std::string> exclude;
  bool keep_bots = false;
  bool downloads = false;
  bool time_now = false;
  int concurrency = 16;
  std::string rate;  ///< Maximum record rate, as "500/s"; empty: as fast as the server answers.
  std::string max_errors;  ///< Maximum rejected records, as "10" or "1%"; empty: no limit.
  std::string rejects;
  std::string batch = "1000";  ///< Records per request, or "off".
  std::string import_id;       ///< Name of the import; empty: derived from source file and sites.
  std::string source;          ///< Name that identifies the source file; empty: its beginning does.
  std::string checkpoint;  ///< Checkpoint file; empty: one per source file, in the state folder.
  bool restart = false;
  bool accept_duplicates = false;
  std::string dedupe;  ///< Field by which the server recognises repeated events: "id", or empty.
  std::vector<std::string> map;  ///< Columns to read fields from, each as "field=column".
  std::string speed;    ///< Speed relative to the recorded times, as "2x"; empty: no pacing.
  std::string max_gap;  ///< Longest pause between records, as "1s"; empty: no limit.
  bool follow = false;
  std::string from_rejects;  ///< Reject file to read instead of `files`.
};
Outcome<ExitCode> replay(const ReplayOptions&, Context&);
/// Reports which events of the files the server has stored and which are missing.
Outcome<ExitCode> check_replay(const ReplayOptions&, Context&);

}  // namespace analytics::cli
