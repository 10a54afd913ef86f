#pragma once

#include <memory>

#include "cli/replay/formats/access_log_format.h"
#include "cli/replay/formats/reader.h"

namespace analytics::cli {

/// Decides which requests of an access log are pageviews: GET requests with status 2xx or 304 whose
/// path is no asset, as far as `--include` and `--exclude` do not say otherwise.
class PageviewRules {
 public:
  explicit PageviewRules(ReaderOptions options);
  /// Returns a pageview or download event, Filtered, or the reason why the request cannot become an
  /// event. Moves texts out of `entry`.
  [[nodiscard]] ReadLine judge(AccessLogEntry& entry) const;

 private:
  enum class Kind { kPage, kDownload, kNothing };
  [[nodiscard]] Kind kind_of(std::string_view path) const;
  [[nodiscard]] ReadLine to_event(AccessLogEntry& entry, Kind kind) const;

  ReaderOptions options_;
  std::string base_;  ///< Prefix of page URLs if the log names no host; without trailing `/`.
};

/// Makes pageviews from the lines of an access log.
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
