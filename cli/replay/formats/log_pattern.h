#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/replay/formats/log_time.h"
#include "common/run/result.h"

namespace analytics::cli {

/// Meaning of a field of a log line.
enum class LogField : std::uint8_t {
  kIgnored,
  kClient,
  kForwarded,
  kHost,
  kMethod,
  kTarget,   ///< A path, with or without its query.
  kQuery,    ///< The query of a URL, with or without its `?`.
  kRequest,  ///< The request line, such as "GET /path HTTP/1.1".
  kStatus,
  kReferrer,
  kUserAgent,
  kTime,   ///< Date and time of day.
  kDate,   ///< The date alone; the line also has a kClock.
  kClock,  ///< The time of day alone.
  kZone,   ///< A field that may be the time zone of the preceding time.
};
inline constexpr std::size_t kLogFields = static_cast<std::size_t>(LogField::kZone) + 1;

/// The form of a log's lines, as --log-format describes it. One of `items`, `expression` and
/// `columns` is used.
struct LogPattern {
  /// A field and the text before it, in which a space matches one or more spaces. The text is empty
  /// only for the first field, and between a host and its target, which begins with `/`.
  struct Item {
    std::string before;
    LogField field = LogField::kIgnored;
  };
  std::vector<Item> items;  ///< Fields of a line, in order.
  std::string after;        ///< Text after the last field.

  std::string expression;                        ///< RE2 pattern; empty if `items` is used.
  std::vector<std::pair<int, LogField>> groups;  ///< Number of each capture group, and its field.

  /// Each field, as `--map` names it, and the column that contains it; for JSON lines only.
  std::vector<std::pair<std::string, std::string>> columns;

  TimeForms times;  ///< Form of the log's times, as far as --log-format defines it.

  [[nodiscard]] bool has(LogField field) const;
};

/// Parses the value of `--log-format`: a format of GoAccess (`%h %^[%d:%t %^] "%r" %s`), Apache
/// (`%h %l %u %t "%r" %>s`) or nginx (`$remote_addr - [$time_local] "$request"`), with or without
/// the directive around it in the server's configuration. The value may also be JSON with such
/// fields as values, or a regular expression whose groups are named after fields (`(?P<ip>\S+)`).
/// Time formats in `times` override those in the text. Errors: kInvalidParameter, with a message
/// for the user.
[[nodiscard]] Result<LogPattern> parse_log_pattern(std::string_view text, const TimeForms& times);

/// Returns the value of `--format` for a format that GoAccess knows by name, such as COMBINED;
/// empty for an unknown name.
[[nodiscard]] std::string_view format_of_goaccess(std::string_view name);

}  // namespace analytics::cli
