#include "cli/replay/open_reader.h"

#include "cli/replay/access_log_reader.h"
#include "cli/replay/ndjson_reader.h"
#include "common/text.h"

namespace analytics::cli {

Result<ChosenReader> open_reader(const std::string& format, std::string_view first_line,
                                 const ReaderOptions& options) {
  const auto ndjson = [&](const char* reason) {
    return ChosenReader{std::make_unique<NdjsonReader>(options), "ndjson", reason};
  };
  const auto combined = [&](const char* reason) -> Result<ChosenReader> {
    if (options.site.empty() && options.site_override.empty()) {
      return fail(ErrorCode::kInvalidParameter, "an access log names no site: use --site DOMAIN");
    }
    return ChosenReader{std::make_unique<AccessLogReader>(options), "combined", reason};
  };
  if (format == "ndjson") return ndjson("as asked");
  if (format == "combined") return combined("as asked");
  if (format != "auto")
    return fail(ErrorCode::kInvalidParameter, "--format must be auto, ndjson or combined");
  if (trim(first_line).starts_with('{')) return ndjson("the first record begins with {");
  if (parse_combined(first_line)) return combined("the first record is a combined log line");
  return fail(ErrorCode::kInvalidParameter,
              "the format of the first record is not known: use --format");
}

}  // namespace analytics::cli
