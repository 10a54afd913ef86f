#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "common/time.h"

namespace analytics::cli {

/// A request of an access log. Texts are UTF-8 with escapes resolved; empty: the log does not say.
struct AccessLogEntry {
  UnixMillis time{};
  bool is_local = false;  ///< The time is what clocks showed, as if in UTC: the log has no zones.
  std::string address;    ///< The client as find_log_client() takes it.
  std::string forwarded;  ///< An X-Forwarded-For beside it.
  std::string method;
  std::string target;  ///< Path and query, or a whole URL.
  std::string host;    ///< Empty where the target names it.
  std::string referrer;
  std::string user_agent;
  int status = 0;
};

/// Reads the lines of one format, in their order: some have a header that names the columns.
class AccessLogFormat {
 public:
  /// kFiltered: a line of the format that logs no request.
  enum class Parsed { kEntry, kFiltered, kNoRecord, kMalformed };
  virtual ~AccessLogFormat() = default;
  /// Fills an empty entry.
  virtual Parsed parse(std::string_view line, AccessLogEntry& entry) = 0;
  // LineReader describes these two functions.
  virtual void skip(std::string_view) {}
  [[nodiscard]] virtual std::string header() const { return {}; }
};

struct AccessLogFormatRow {
  std::string_view name;
  std::string_view described;  ///< Why it was chosen: "is a combined log line".
  std::string_view about;      ///< Whose logs these are, for help.
  bool names_host;             ///< A site need not be given.
  std::unique_ptr<AccessLogFormat> (*make)();
  bool has_header = false;  ///< A line alone cannot be read.
};
/// The whole table, in the order in which a first line is tried.
[[nodiscard]] std::span<const AccessLogFormatRow> access_log_formats();
/// Null when no format has that name, or none reads the line.
[[nodiscard]] const AccessLogFormatRow* find_log_format(std::string_view name);
[[nodiscard]] const AccessLogFormatRow* guess_log_format(std::string_view line);

// A file a family.
[[nodiscard]] std::unique_ptr<AccessLogFormat> make_combined_format();
[[nodiscard]] std::unique_ptr<AccessLogFormat> make_common_format();
[[nodiscard]] std::unique_ptr<AccessLogFormat> make_combined_vhost_format();
[[nodiscard]] std::unique_ptr<AccessLogFormat> make_common_vhost_format();
[[nodiscard]] std::unique_ptr<AccessLogFormat> make_alb_format();
[[nodiscard]] std::unique_ptr<AccessLogFormat> make_elb_format();
[[nodiscard]] std::unique_ptr<AccessLogFormat> make_s3_format();
[[nodiscard]] std::unique_ptr<AccessLogFormat> make_cloudfront_realtime_format();
[[nodiscard]] std::unique_ptr<AccessLogFormat> make_bunny_format();
[[nodiscard]] std::unique_ptr<AccessLogFormat> make_haproxy_format();
[[nodiscard]] std::unique_ptr<AccessLogFormat> make_envoy_format();
[[nodiscard]] std::unique_ptr<AccessLogFormat> make_w3c_format();
[[nodiscard]] std::unique_ptr<AccessLogFormat> make_caddy_format();

/// Control characters become spaces. What is not UTF-8 is taken for Latin-1: old servers log the
/// bytes of old browsers.
[[nodiscard]] std::string log_text(std::string_view bytes);

}  // namespace analytics::cli
