#pragma once

#include "cli/replay/reader.h"

namespace analytics::cli {

/// The fields of a line in the combined log format; views into the line, escapes not resolved.
struct AccessLogLine {
  std::string_view address;
  UnixMillis time;
  std::string_view method;
  std::string_view target;
  int status = 0;
  std::string_view referrer;
  std::string_view user_agent;
};
[[nodiscard]] std::optional<AccessLogLine> parse_combined(std::string_view line);

/// Pageviews out of a combined access log: GET, 2xx or 304, no assets.
class AccessLogReader final : public LineReader {
 public:
  explicit AccessLogReader(ReaderOptions options);
  [[nodiscard]] ReadLine read(std::string_view line) const override;

 private:
  [[nodiscard]] bool is_page(std::string_view path) const;
  ReaderOptions options_;
  std::string base_;  ///< What pages begin with, without a final `/`.
};

}  // namespace analytics::cli
