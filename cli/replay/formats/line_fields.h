#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "cli/replay/formats/access_log_format.h"

/// Functions to parse log lines that are a sequence of fields, and to make an AccessLogFormat from
/// a function that parses a line.
namespace analytics::cli {

/// Removes the text up to and including the first `end` from the front of `rest`, and returns it
/// without `end`. Returns nullopt if `rest` contains no `end`.
[[nodiscard]] std::optional<std::string_view> take(std::string_view& rest, char end);
/// Moves fields from the front of `rest` into `fields` until that is full. A separator must follow
/// each field. Returns false if there are too few.
[[nodiscard]] bool take_fields(std::string_view& rest, char separator,
                               std::span<std::string_view> fields);
/// Removes a field in double quotes and the space after it from the front of `rest`, and returns
/// the field; \" does not end it. Returns nullopt if `rest` does not begin with such a field.
[[nodiscard]] std::optional<std::string_view> take_quoted(std::string_view& rest);
/// Resolves the escapes \" \\ and \xNN, which Apache and nginx write. Returns an empty text for
/// "-".
[[nodiscard]] std::string unescape_field(std::string_view text);
/// Parses an HTTP status. Returns false if the text is not a number from 100 to 599.
[[nodiscard]] bool parse_status(std::string_view text, int& status);
/// Reads method and target from a request line such as "GET /path HTTP/1.1". Changes neither if the
/// text is not a request line.
void parse_request(std::string_view request, AccessLogEntry& entry);

/// Makes a format from a function that parses one line. Before it calls `parse`, the format
/// removes the prefix that a log transport such as syslog or Docker adds to each line.
[[nodiscard]] std::unique_ptr<AccessLogFormat> make_line_format(
    AccessLogFormat::Parsed (*parse)(std::string_view line, AccessLogEntry& entry));

/// Makes a format from a function that parses one line. The format removes no prefix: its lines
/// begin with a time, which could be mistaken for the prefix of a log transport.
[[nodiscard]] std::unique_ptr<AccessLogFormat> make_unprefixed_format(
    AccessLogFormat::Parsed (*parse)(std::string_view line, AccessLogEntry& entry));

}  // namespace analytics::cli
