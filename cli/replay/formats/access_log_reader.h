#pragma once

#include <memory>

#include "cli/replay/formats/access_log_format.h"
#include "cli/replay/formats/reader.h"

namespace analytics::cli {

/// Decides which requests of an access log are pageviews: GET requests with status 2xx or 304
/// whose path is not an asset, such as an image. `--include` and `--exclude` override the rule for
/// paths.
class PageviewRules {
 public:
  explicit PageviewRules(ReaderOptions options);
  /// Converts a request to a pageview or download event. Returns Filtered if the request is
  /// neither, and an error if it cannot become an event. Moves texts out of `entry`.
  [[nodiscard]] ReadLine judge(AccessLogEntry& entry) const;

 private:
  enum class Kind { kPage, kDownload, kNothing };
  [[nodiscard]] Kind kind_of(std::string_view path) const;
  [[nodiscard]] ReadLine to_event(AccessLogEntry& entry, Kind kind) const;

  ReaderOptions options_;
  std::string base_;  ///< Prefix of page URLs if the log names no host; without final `/`.
};

/// Converts the lines of an access log to pageviews and downloads.
class AccessLogReader final : public LineReader {
 public:
  AccessLogReader(std::unique_ptr<AccessLogFormat> format, ReaderOptions options)
      : format_(std::move(format)), rules_(std::move(options)) {}
  [[nodiscard]] ReadLine read(std::string_view line) override;
  void skip(std::string_view line) override { format_->skip(line); }
  [[nodiscard]] std::string header() const override { return format_->header(); }

 private:
  std::unique_ptr<AccessLogFormat> format_;
  PageviewRules rules_;
};

}  // namespace analytics::cli
