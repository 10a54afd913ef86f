#include "cli/replay/open_reader.h"

#include "cli/replay/access_log_reader.h"
#include "cli/replay/ndjson_reader.h"
#include "common/text.h"

namespace analytics::cli {

Result<ChosenReader> open_reader(const std::string& format, std::string_view first_line,
                                 const ReaderOptions& options) {
  const auto log = [&](const AccessLogFormatRow& row,
                       const std::string& reason) -> Result<ChosenReader> {
    if (!row.names_host && options.site.empty() && options.site_override.empty()) {
      return fail(ErrorCode::kInvalidParameter, "the log names no site: use --site DOMAIN");
    }
    return ChosenReader{std::make_unique<AccessLogReader>(row.make(), options),
                        std::string(row.name), reason};
  };
  const auto* named = find_log_format(format);
  if (named != nullptr) return log(*named, "as asked");
  const auto* guessed = format == "auto" ? guess_log_format(first_line) : nullptr;
  if (guessed != nullptr) return log(*guessed, "the first line " + std::string(guessed->described));
  const bool is_json = trim(first_line).starts_with('{');
  if (format == "ndjson" || (format == "auto" && is_json)) {
    return ChosenReader{std::make_unique<NdjsonReader>(options), "ndjson",
                        format == "auto" ? "the first record begins with {" : "as asked"};
  }
  if (format != "auto") {
    return fail(ErrorCode::kInvalidParameter, "--format must be " + format_names());
  }
  return fail(ErrorCode::kInvalidParameter,
              "the format of the first record is not known: use --format");
}

std::string format_names() {
  std::string names = "auto, ndjson";
  for (const auto& row : access_log_formats()) names += ", " + std::string(row.name);
  return names;
}

bool is_format(std::string_view name) {
  return name == "auto" || name == "ndjson" || find_log_format(name) != nullptr;
}

}  // namespace analytics::cli
