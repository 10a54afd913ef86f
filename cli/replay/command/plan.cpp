#include "cli/replay/command/plan.h"

#include <algorithm>

#include <unistd.h>

#include "cli/replay/formats/field_map.h"
#include "cli/replay/formats/log_pattern.h"
#include "cli/totals/report_files.h"
#include "common/io/archive.h"
#include "common/io/decoder.h"
#include "common/io/fs.h"
#include "common/run/secret.h"
#include "common/text/shell_words.h"
#include "common/text/text.h"
#include "common/text/time.h"
#include "common/text/url.h"
#include "common/wire/api_types.h"

namespace analytics::cli {
namespace {

/// The current time that readers get if events are sent. It is later than any event, because this
/// machine's clock may be wrong: only the server rejects times in the future.
constexpr UnixMillis kAfterAnyEvent = std::chrono::sys_days(std::chrono::year(9'999) / 1 / 1);

tl::unexpected<Failure> wrong_use(std::string message) {
  return give_up(ExitCode::kUsage, std::move(message), "usage");
}

Outcome<double> parse_rate(const std::string& text) {
  if (text.empty()) return 0.0;
  auto number = std::string_view(text);
  if (number.ends_with("/s")) number.remove_suffix(2);
  const auto rate = parse_double(number);
  if (rate && *rate > 0) return *rate;
  return wrong_use("--rate takes a rate such as 500/s");
}

// Maximum of --batch, because a reply to a bulk request describes the problems of at most 2,000
// events.
constexpr std::int64_t kMaxBatchLines = 2'000;

/// Parses --batch. Returns the number of records per request; 0 if each record has its own
/// request.
Outcome<std::size_t> parse_batch(const std::string& text) {
  if (text == "off") return std::size_t{0};
  const auto lines = parse_int(text);
  if (lines && *lines >= 1 && *lines <= kMaxBatchLines) return static_cast<std::size_t>(*lines);
  return wrong_use("--batch takes off, or 1 to 2000 records");
}

Outcome<Pacer::Config> parse_pace(const ReplayOptions& options) {
  Pacer::Config pace;
  if (!options.speed.empty()) {
    auto number = std::string_view(options.speed);
    if (number.ends_with('x')) number.remove_suffix(1);
    const auto speed = parse_double(number);
    if (!speed || !(*speed > 0)) return wrong_use("--speed takes a factor such as 2x");
    pace.speed = *speed;
  }
  if (!options.max_gap.empty()) {
    const auto gap = parse_duration(options.max_gap);
    if (!gap) return wrong_use("--max-gap takes a time such as 1s");
    if (options.speed.empty()) return wrong_use("--max-gap requires --speed");
    pace.max_gap = *gap;
  }
  return pace;
}

Outcome<std::vector<std::pair<std::string, std::string>>> parse_map(
    const std::vector<std::string>& texts) {
  std::vector<std::pair<std::string, std::string>> map;
  for (const auto& text : texts) {
    const auto equals = text.find('=');
    if (equals == 0 || equals == std::string::npos || equals + 1 == text.size()) {
      return wrong_use("--map takes FIELD=COLUMN, such as url=page_url");
    }
    auto field = text.substr(0, equals);
    if (!is_mapped_field(field)) {
      return wrong_use("--map has no field \"" + field + "\"; the fields are " +
                       mapped_field_names());
    }
    map.emplace_back(std::move(field), text.substr(equals + 1));
  }
  return map;
}

TimeForms times_of(const ReplayOptions& options) {
  TimeForms times;
  if (!options.timezone.empty()) times.zone = options.timezone;
  times.date = options.date_format;
  times.time = options.time_format;
  return times;
}

/// Cuts the text to 24 bytes and replaces characters that an import name cannot have with `-`.
std::string as_name(const std::string& text) {
  constexpr std::size_t kMax = 24;
  auto name = text.substr(0, kMax);
  for (auto& c : name) {
    if (!is_import_name(std::string_view(&c, 1))) c = '-';
  }
  return name;
}

/// Returns the name that groups the imports of a followed log, always the same for this path on
/// this machine: "access.log.web1-5f3a91c2".
std::string name_of_log(const std::string& file) {
  std::error_code failed;
  const auto path = std::filesystem::absolute(file, failed).lexically_normal();
  char host[256] = "";
  (void)gethostname(host, sizeof host - 1);
  const auto machine =
      read_file("/etc/machine-id").value_or("");  // tells apart machines with the same host name
  const auto digest = digest_of({"log", path.string(), host, machine});
  return as_name(path.filename().string()) + "." + as_name(host) + "-" + to_hex(digest.data(), 4);
}

/// Rejects missing, invalid or conflicting options, except those that describe the input's form.
Outcome<void> check_options(const ReplayOptions& options, const Context& context) {
  if (options.files.empty() && options.from_rejects.empty()) {
    return wrong_use("name a file to replay; - is standard input");
  }
  if (!options.files.empty() && !options.from_rejects.empty()) {
    return wrong_use("--from-rejects cannot be combined with files");
  }
  if (!is_format(options.format)) return wrong_use("--format must be " + format_names());
  if (!options.import_id.empty() && !is_import_name(options.import_id)) {
    return wrong_use("--import-id takes 1 to 64 of A-Z a-z 0-9 . _ -");
  }
  if (!options.base.empty() && !split_url(options.base)) {
    return wrong_use("--base must be a URL such as https://example.com");
  }
  if (!options.dedupe.empty() && options.dedupe != "id") return wrong_use("--dedupe takes: id");
  if (!options.source.empty() && (options.files.size() > 1 || options.follow)) {
    return wrong_use("--source requires exactly one file and no --follow");
  }
  const auto stdins = std::count(options.files.begin(), options.files.end(), "-");
  const bool key_too = context.settings.origins.at("api_key_file").value == "-";
  if (stdins + (key_too ? 1 : 0) > 1) {
    return wrong_use("standard input can be used only once");
  }
  if (options.follow && stdins > 0)
    return wrong_use("--follow requires a file, not standard input");
  if (options.follow && !options.files.empty() && place_in_archive(options.files.back())) {
    return wrong_use("--follow requires a file that grows, not one in an archive");
  }
  if (options.follow && context.settings.dry_run) {
    return wrong_use("--follow cannot be combined with --dry-run");
  }
  return {};
}

/// Rejects invalid values of --log-format, --timezone and similar options.
Outcome<void> check_forms(const ReplayOptions& options) {
  if (!options.timezone.empty() && !is_time_zone(options.timezone)) {
    return wrong_use("--timezone takes an IANA name such as Europe/Berlin");
  }
  if (!options.encoding.empty() && !Decoder::make(options.encoding)) {
    return wrong_use("--encoding takes a name that iconv -l lists, such as windows-1252");
  }
  if (!options.time_format.empty() && options.date_format.empty()) {
    return wrong_use("--time-format requires --date-format");
  }
  if (const auto problem = problem_of(times_of(options)); !problem.empty()) {
    return wrong_use("--date-format and --time-format: " + problem);
  }
  if (options.log_format.empty() || !format_of_goaccess(options.log_format).empty()) return {};
  if (options.format != "auto") return wrong_use("--log-format cannot be combined with --format");
  const auto pattern = parse_log_pattern(options.log_format, times_of(options));
  if (!pattern) return wrong_use(pattern.error().message);
  if (!options.map.empty() && pattern->columns.empty()) {
    return wrong_use("--map cannot be combined with --log-format");
  }
  return {};
}

/// Returns the options that change the events that are sent, in the form of a command line.
std::string options_text(const ReplayOptions& options) {
  std::vector<std::string> words;
  const auto value = [&](const char* flag, const std::string& text) {
    if (!text.empty()) words.insert(words.end(), {flag, text});
  };
  value("--log-format", options.log_format);
  value("--date-format", options.date_format);
  value("--time-format", options.time_format);
  value("--timezone", options.timezone);
  value("--encoding", options.encoding);
  value("--base", options.base);
  for (const auto& glob : options.include) value("--include", glob);
  for (const auto& glob : options.exclude) value("--exclude", glob);
  for (const auto& pair : options.map) value("--map", pair);
  value("--dedupe", options.dedupe);
  if (options.keep_bots) words.emplace_back("--keep-bots");
  if (options.downloads) words.emplace_back("--downloads");
  if (options.time_now) words.emplace_back("--time=now");
  return words.empty() ? "none of them" : shell_words(words);
}

/// Returns true if all files are regular files or in archives, so that they can be read twice.
bool are_regular(const std::vector<std::string>& files) {
  return std::all_of(files.begin(), files.end(), [](const std::string& file) {
    std::error_code failed;
    const bool is_file = std::filesystem::is_regular_file(file, failed) || place_in_archive(file);
    return file != "-" && is_file;
  });
}

/// Returns the files in the folder, sorted by name. Failures: those of with_files_of_folders().
Outcome<std::vector<std::string>> files_in(const std::string& folder) {
  namespace fs = std::filesystem;
  std::vector<std::string> files;
  std::error_code failed;
  for (fs::recursive_directory_iterator at(folder, failed), end; !failed && at != end;
       at.increment(failed)) {
    const bool is_hidden = at->path().filename().string().starts_with('.');
    if (is_hidden && at->is_directory(failed)) at.disable_recursion_pending();
    if (!is_hidden && at->is_regular_file(failed)) files.push_back(at->path().string());
  }
  if (failed) return give_up(ExitCode::kSetup, folder + ": " + failed.message(), "input");
  if (files.empty()) return give_up(ExitCode::kSetup, folder + ": has no files", "input");
  std::sort(files.begin(), files.end());
  return files;
}

/// Returns the files in the archive, without hidden ones and those that macOS adds.
Outcome<std::vector<std::string>> files_in_archive(const std::string& archive) {
  const auto entries = list_entries(archive);
  if (!entries) return give_up(ExitCode::kSetup, entries.error().message, "input");
  std::vector<std::string> files;
  for (const auto& entry : *entries) {
    const auto name = std::filesystem::path(entry).filename().string();
    const bool is_hidden = name.starts_with('.') || entry.starts_with("__MACOSX/");
    if (!is_hidden) files.push_back(archive + "/" + entry);
  }
  if (files.empty()) return give_up(ExitCode::kSetup, archive + ": has no files", "input");
  return files;
}

}  // namespace

Outcome<ReplayOptions> with_files_of_folders(ReplayOptions options) {
  if (options.follow) return options;  // a followed log is a single file
  std::vector<std::string> files;
  for (const auto& file : options.files) {
    std::error_code failed;
    const bool is_folder = file != "-" && std::filesystem::is_directory(file, failed);
    if (!is_folder && !is_archive_of_events(file)) {
      files.push_back(file);
      continue;
    }
    auto found = TRY(is_folder ? files_in(file) : files_in_archive(file));
    // A replay must not read the reject file and the checkpoint, because it writes these itself.
    std::erase_if(found, [&](const std::string& each) {
      std::error_code none;
      return std::filesystem::equivalent(each, options.rejects, none) ||
             std::filesystem::equivalent(each, options.checkpoint, none);
    });
    for (auto& each : found) {
      if (!is_folder || !is_archive_of_events(each)) {
        options.found.insert(each);
        files.push_back(std::move(each));
        continue;
      }
      const auto packed = TRY(files_in_archive(each));
      options.found.insert(packed.begin(), packed.end());
      files.insert(files.end(), packed.begin(), packed.end());
    }
  }
  // A file in `found` is left out if its format is unknown. If the user also names the file on the
  // command line, an unknown format is an error, so the file is removed from `found`.
  for (const auto& file : options.files) {
    std::erase_if(options.found, [&](const std::string& each) {
      std::error_code none;
      return each == file || std::filesystem::equivalent(each, file, none);
    });
  }
  options.files = std::move(files);
  return options;
}

Outcome<ReplayPlan> plan_replay(const ReplayOptions& options, const Context& context) {
  TRY(check_options(options, context));
  TRY(check_forms(options));
  ReplayPlan plan;
  const auto limit = ErrorLimit::parse(options.max_errors);
  if (!limit) return wrong_use("--max-errors takes a number or a percentage");
  plan.max_errors = *limit;
  plan.rate = TRY(parse_rate(options.rate));
  plan.batch = TRY(parse_batch(options.batch));
  // A batch has at most the records of about one second, so that replay sends no large bursts.
  if (plan.rate > 0) {
    plan.batch = std::min(plan.batch, static_cast<std::size_t>(std::clamp(plan.rate, 1.0, 5e4)));
  }
  plan.pace = TRY(parse_pace(options));
  auto map = TRY(parse_map(options.map));
  plan.sites = options.site_override.empty() ? options.site : options.site_override;
  plan.dedupe_ids = options.dedupe == "id";
  const bool is_rejects = !options.from_rejects.empty();
  const std::string known(format_of_goaccess(options.log_format));
  const auto& format = known.empty() ? options.format : known;
  plan.input = {.files = is_rejects ? std::vector{options.from_rejects} : options.files,
                .found = options.found,
                .format = is_rejects ? "rejects" : format,
                .reader = {.site = options.site,
                           .site_override = options.site_override,
                           .base = options.base,
                           .include = options.include,
                           .exclude = options.exclude,
                           .keep_bots = options.keep_bots,
                           .downloads = options.downloads,
                           .now = context.settings.dry_run ? context.clock.now() : kAfterAnyEvent,
                           .times = times_of(options),
                           .log_format = known.empty() ? options.log_format : "",
                           .map = std::move(map)},
                .encoding = is_rejects ? "" : options.encoding,
                .source = options.source,
                .follow = options.follow};
  if (options.follow && options.import_id.empty()) plan.log = name_of_log(plan.input.files.back());
  auto& checkpoint = plan.checkpoint;
  checkpoint.target = context.settings.url + " " + plan.sites + " " + options.import_id;
  checkpoint.options = options_text(options);
  std::error_code failed;
  if (!options.rejects.empty()) {
    checkpoint.rejects = std::filesystem::absolute(options.rejects, failed).string();
  }
  checkpoint.restart = options.restart;
  checkpoint.any_source = options.follow;
  if (!options.checkpoint.empty()) {
    checkpoint.file = options.checkpoint;
  } else if (options.follow || are_regular(plan.input.files)) {
    checkpoint.folder = xdg_path("XDG_STATE_HOME", ".local/state", "analytics");
  }
  return plan;
}

}  // namespace analytics::cli
