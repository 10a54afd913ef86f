#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/replay/formats/log_time.h"
#include "common/run/result.h"

namespace analytics::cli {

/// The meaning of a part of a log line.
enum class LogField : std::uint8_t {
  kIgnored,
  kClient,
  kForwarded,
  kHost,
  kMethod,
  kTarget,   ///< A path, with or without its query.
  kQuery,    ///< With or without its `?`.
  kRequest,  ///< "GET /path HTTP/1.1".
  kStatus,
  kReferrer,
  kUserAgent,
  kTime,   ///< Date and time of day.
  kDate,   ///< The date alone; kClock comes with it.
  kClock,  ///< The time of day alone.
  kZone,   ///< Possibly the zone of the preceding time.
};
inline constexpr std::size_t kLogFields = static_cast<std::size_t>(LogField::kZone) + 1;

/// The form of a log's lines: `items`, `expression` or `columns`.
struct LogPattern {
  /// A field, and the text between it and the preceding field. A space matches one or more spaces.
  /// The text is empty only between a host and the target after it, which begins with `/`.
  struct Item {
    std::string before;
    LogField field = LogField::kIgnored;
  };
  std::vector<Item> items;
  std::string after;  ///< Text after the last field.

  std::string expression;                        ///< RE2 pattern; empty if `items` is used.
  std::vector<std::pair<int, LogField>> groups;  ///< Field of each capture group, by group number.

  /// For JSON lines: fields of `--map` and the column of each.
  std::vector<std::pair<std::string, std::string>> columns;

  TimeForms times;

  [[nodiscard]] bool has(LogField field) const;
};

/// Parses the value of `--log-format`: a format of GoAccess (`%h %^[%d:%t %^] "%r" %s`), Apache
/// (`%h %l %u %t "%r" %>s`) or nginx (`$remote_addr - [$time_local] "$request"`), also inside its
/// configuration directive; JSON with such fields as values; or a regular expression whose groups
/// have names of fields (`(?P<ip>\S+)`). Forms in `times` override those in the text. Errors:
/// kInvalidParameter, which says what is wrong.
[[nodiscard]] Result<LogPattern> parse_log_pattern(std::string_view text, const TimeForms& times);

/// Returns the value of `--format` for a format that GoAccess knows by name, such as COMBINED;
/// empty for an unknown name.
[[nodiscard]] std::string_view format_of_goaccess(std::string_view name);

}  // namespace analytics::cli
