#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/replay/formats/log_time.h"
#include "common/result.h"

namespace analytics::cli {

/// What a part of a log's line says.
enum class LogField : std::uint8_t {
  kIgnored,
  kClient,
  kForwarded,
  kHost,
  kMethod,
  kTarget,   ///< A path, with its query or without.
  kQuery,    ///< With its `?` or without.
  kRequest,  ///< "GET /path HTTP/1.1".
  kStatus,
  kReferrer,
  kUserAgent,
  kTime,   ///< Date and time of day.
  kDate,   ///< The date alone; kClock goes with it.
  kClock,  ///< The time of day alone.
  kZone,   ///< What may be the zone of the time before it.
};
inline constexpr std::size_t kLogFields = static_cast<std::size_t>(LogField::kZone) + 1;

/// The form of a log's lines, in one of three ways.
struct LogPattern {
  /// A field, and the text between it and the field before. A blank stands for several. Nothing
  /// is between a host and the target behind it, which begins with its `/`.
  struct Item {
    std::string before;
    LogField field = LogField::kIgnored;
  };
  std::vector<Item> items;
  std::string after;  ///< Behind the last field.

  std::string expression;                        ///< Of RE2.
  std::vector<std::pair<int, LogField>> groups;  ///< Of it, by number.

  /// Lines that are JSON: columns by the fields of `--map`.
  std::vector<std::pair<std::string, std::string>> columns;

  TimeForms times;

  [[nodiscard]] bool has(LogField field) const;
};

/// Reads the value of `--log-format`: a format of GoAccess (`%h %^[%d:%t %^] "%r" %s`), of Apache
/// (`%h %l %u %t "%r" %>s`) or of nginx (`$remote_addr - [$time_local] "$request"`), also with the
/// directive around it; JSON with such fields as values; or a regular expression whose groups have
/// the names of fields (`(?P<ip>\S+)`). `times` are those that were given. Errors:
/// kInvalidParameter, saying what is wrong with it.
[[nodiscard]] Result<LogPattern> parse_log_pattern(std::string_view text, const TimeForms& times);

/// The value of `--format` for a format that GoAccess knows by a name, such as COMBINED; empty:
/// it is no such name.
[[nodiscard]] std::string_view format_of_goaccess(std::string_view name);

}  // namespace analytics::cli
