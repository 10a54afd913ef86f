#pragma once

#include <memory>

#include "cli/replay/access_log_format.h"
#include "cli/replay/reader.h"

namespace analytics::cli {

/// Pageviews out of an access log: GET, 2xx or 304, no assets.
class AccessLogReader final : public LineReader {
 public:
  AccessLogReader(std::unique_ptr<AccessLogFormat> format, ReaderOptions options);
  [[nodiscard]] ReadLine read(std::string_view line) override;

 private:
  [[nodiscard]] bool is_page(std::string_view path) const;
  [[nodiscard]] ReadLine to_pageview(AccessLogEntry& entry) const;

  std::unique_ptr<AccessLogFormat> format_;
  ReaderOptions options_;
  std::string base_;  ///< What pages begin with where the log names no host, without a final `/`.
};

}  // namespace analytics::cli
