#include "cli/replay/formats/open_reader.h"

#include <algorithm>

#include "cli/replay/formats/access_log_reader.h"
#include "cli/replay/formats/advice.h"
#include "cli/replay/formats/custom_log_format.h"
#include "cli/replay/formats/event_rules.h"
#include "cli/replay/formats/export_format.h"
#include "cli/replay/formats/mixed_log_reader.h"
#include "cli/replay/formats/ndjson_reader.h"
#include "cli/replay/formats/rejects_reader.h"
#include "cli/replay/formats/table_readers.h"
#include "common/text/text.h"

namespace analytics::cli {
namespace {

constexpr char kCustom[] = "custom";  // the format of records read with --log-format
constexpr std::size_t kShownHeader = 500;

/// Formats other than access logs and exports. open_reader() has its own code for each.
constexpr InputFormat kOtherFormats[] = {
    {"auto", "found by the first record (the default)"},
    {"ndjson",
     "a JSON object a line: the body of POST /api/event (domain, name, url, referrer, props,"
     " revenue …) plus timestamp, ip, user_agent"},
    {"csv", "with a header; columns of other names by --map url=page"},
    {"json",
     "logs of requests with an object a line: nginx, Traefik, Envoy, Cloudflare, Google's load"
     " balancers, Azure, Fastly, Vercel; others by --map target=path --map status=code …"},
    {"rejects", "what --rejects has written"},
};

bool is_snowplow(std::string_view line) {
  const auto fields = split(line, '\t');
  constexpr std::string_view kKinds[] = {"page_view", "page_ping",   "struct",
                                         "unstruct",  "transaction", "transaction_item"};
  return fields.size() == snowplow_columns().size() &&
         std::find(std::begin(kKinds), std::end(kKinds), fields[5]) != std::end(kKinds);
}

const ExportFormat* guess_export(std::string_view first_line) {
  if (is_snowplow(first_line)) return find_export_format("snowplow");
  if (NdjsonReader::is_event(first_line)) return nullptr;
  const auto* found = ExportReader::guess(first_line);
  return found != nullptr ? found : CsvReader::guess_export(first_line);
}

/// Makes a reader for an export, JSON or a table, which its first line shows. An empty
/// `first_line` means JSON.
std::unique_ptr<LineReader> make_export_reader(const ExportFormat& format,
                                               std::string_view first_line,
                                               const ReaderOptions& options) {
  if (format.name == "snowplow") {
    return std::make_unique<CsvReader>(options, format, snowplow_columns());
  }
  const auto start = trim(first_line).substr(0, 1);
  if (start.empty() || start == "{" || start == "[" || start == ",") {
    return std::make_unique<ExportReader>(format, options);
  }
  return std::make_unique<CsvReader>(options, &format);
}

Result<ChosenReader> choose_log(std::unique_ptr<LineReader> reader, std::string_view format,
                                std::string reason, bool names_host, const ReaderOptions& options) {
  if (!names_host && site_of(options).empty()) {
    return fail(ErrorCode::kInvalidParameter, "the log does not name a site: use --site DOMAIN");
  }
  return ChosenReader{std::move(reader), std::string(format), std::move(reason)};
}

Result<ChosenReader> open_custom(const ReaderOptions& options) {
  if (options.log_format.empty()) {
    return fail(ErrorCode::kInvalidParameter,
                "the record was read with --log-format: give it again");
  }
  auto pattern = TRY(parse_log_pattern(options.log_format, options.times));
  const bool names_host = pattern.has(LogField::kHost);
  std::unique_ptr<LineReader> reader;
  if (pattern.columns.empty()) {
    reader = std::make_unique<AccessLogReader>(make_custom_format(std::move(pattern)), options);
  } else {
    auto mapped = options;
    mapped.map.insert(mapped.map.begin(), pattern.columns.begin(), pattern.columns.end());
    mapped.times = pattern.times;
    reader = std::make_unique<JsonReader>(mapped);
  }
  return choose_log(std::move(reader), kCustom, "--log-format", names_host, options);
}

}  // namespace

bool maps_props_only(const ReaderOptions& options) {
  return std::all_of(options.map.begin(), options.map.end(), [](const auto& mapped) {
    return std::string_view(mapped.first).starts_with(kPropPrefix);
  });
}

Result<ChosenReader> open_reader(const std::string& format, std::string_view first_line,
                                 const ReaderOptions& options) {
  const bool guess = format == "auto";
  if (format == kCustom || (guess && !options.log_format.empty())) return open_custom(options);
  const auto chosen = [&](std::unique_ptr<LineReader> reader, const char* name,
                          const char* reason) -> Result<ChosenReader> {
    return ChosenReader{std::move(reader), name, guess ? reason : "as asked"};
  };
  const auto* named = find_log_format(format);
  if (named != nullptr) {
    return choose_log(std::make_unique<AccessLogReader>(named->make(), options), named->name,
                      "as asked", named->names_host, options);
  }
  const auto* guessed = guess && options.map.empty() ? guess_log_format(first_line) : nullptr;
  if (guessed != nullptr) {
    return choose_log(std::make_unique<MixedLogReader>(*guessed, options), guessed->name,
                      "the first line " + std::string(guessed->described), guessed->names_host,
                      options);
  }
  const auto* exported =
      guess && maps_props_only(options) ? guess_export(first_line) : find_export_format(format);
  if (exported != nullptr) {
    const auto reason = guess ? "the first line " + std::string(exported->described) : "as asked";
    return ChosenReader{make_export_reader(*exported, first_line, options),
                        std::string(exported->name), reason};
  }
  const bool is_json = guess && trim(first_line).starts_with('{');
  if (format == "rejects" || (is_json && RejectsReader::is_reject(first_line))) {
    return chosen(std::make_unique<RejectsReader>(options), "rejects",
                  "the first record is a row of a reject file");
  }
  if (format == "json" ||
      (is_json && (!options.map.empty() || (!NdjsonReader::is_event(first_line) &&
                                            JsonReader::is_request(first_line, options))))) {
    return chosen(std::make_unique<JsonReader>(options), "json",
                  options.map.empty() ? "the first record is a JSON object that logs a request"
                                      : "the first record is a JSON object, and --map is given");
  }
  if (is_json && JsonReader::is_page(first_line, options)) {
    return chosen(std::make_unique<JsonReader>(options), "json",
                  "the first record is a JSON object with a url, and no event");
  }
  if (format == "ndjson" || (is_json && NdjsonReader::is_like_event(first_line))) {
    return chosen(std::make_unique<NdjsonReader>(options), "ndjson",
                  "the first record begins with {");
  }
  if (format == "csv" || (guess && CsvReader::is_header(first_line, options))) {
    if (const auto column = CsvReader::missing_column(first_line, options); !column.empty()) {
      return fail(ErrorCode::kInvalidParameter,
                  "--map names the column " + column + ", which is not in the header: " +
                      std::string(first_line.substr(0, kShownHeader)));
    }
    return chosen(std::make_unique<CsvReader>(options), "csv",
                  "the first line is a header with the columns of events or requests");
  }
  if (!guess) return fail(ErrorCode::kInvalidParameter, "--format must be " + format_names());
  return fail(ErrorCode::kMalformedBody, advise(first_line));
}

bool has_line_format(std::string_view line, const ReaderOptions& options) {
  if (const auto* row = guess_log_format(line)) return !row->has_header;
  if (ExportReader::guess(line) != nullptr || is_snowplow(line)) return true;
  return trim(line).starts_with('{') &&
         (NdjsonReader::is_event(line) || JsonReader::is_request(line, options) ||
          JsonReader::is_page(line, options));
}

std::vector<InputFormat> input_formats() {
  std::vector<InputFormat> formats(std::begin(kOtherFormats), std::end(kOtherFormats));
  for (const auto& row : export_formats()) formats.push_back({row.name, row.about});
  for (const auto& row : access_log_formats()) formats.push_back({row.name, row.about});
  return formats;
}

std::string format_names() {
  std::vector<std::string> names;
  for (const auto& format : input_formats()) names.emplace_back(format.name);
  return join(names, ", ");
}

bool is_format(std::string_view name) {
  const auto has_name = [&](const InputFormat& format) { return format.name == name; };
  return std::any_of(std::begin(kOtherFormats), std::end(kOtherFormats), has_name) ||
         find_log_format(name) != nullptr || find_export_format(name) != nullptr;
}

}  // namespace analytics::cli
