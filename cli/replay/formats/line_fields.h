#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "cli/replay/formats/access_log_format.h"

/// Parses log lines whose fields follow one another, and makes formats from such parsers.
namespace analytics::cli {

/// Removes the text up to and including the first `end` from the front of `rest`, and returns it
/// without `end`. Returns nullopt if `rest` contains no `end`.
[[nodiscard]] std::optional<std::string_view> take(std::string_view& rest, char end);
/// Removes as many fields from the front of `rest` as `fields` has room for; a separator must
/// follow each. Returns false if there are too few.
[[nodiscard]] bool take_fields(std::string_view& rest, char separator,
                               std::span<std::string_view> fields);
/// Removes a quoted field and the space after it from the front of `rest`, and returns the field;
/// \" does not end it. Returns nullopt if there is no such field.
[[nodiscard]] std::optional<std::string_view> take_quoted(std::string_view& rest);
/// Resolves the escapes \" \\ and \xNN of Apache and nginx. Returns an empty text for "-".
[[nodiscard]] std::string unescape_field(std::string_view text);
/// Parses an HTTP status. Returns false if the text is not a number from 100 to 599.
[[nodiscard]] bool parse_status(std::string_view text, int& status);
/// Reads method and target from a request line such as "GET /path HTTP/1.1". Changes neither if the
/// text is not a request line.
void parse_request(std::string_view request, AccessLogEntry& entry);

/// Makes a format whose lines can be read independently. Removes the prefix that a log transport
/// such as syslog or Docker adds to a line before it calls `parse`.
[[nodiscard]] std::unique_ptr<AccessLogFormat> make_line_format(
    AccessLogFormat::Parsed (*parse)(std::string_view line, AccessLogEntry& entry));

/// Makes a format of lines that begin with a time. Removes no prefix, because the time could be
/// mistaken for one.
[[nodiscard]] std::unique_ptr<AccessLogFormat> make_unprefixed_format(
    AccessLogFormat::Parsed (*parse)(std::string_view line, AccessLogEntry& entry));

}  // namespace analytics::cli
