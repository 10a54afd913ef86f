#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "cli/replay/formats/access_log_format.h"

/// Helpers for log lines whose fields follow one another, and formats made with them.
namespace analytics::cli {

/// Removes the text up to and including the first `end` from the front of `rest` and returns it
/// without `end`; nullopt if there is no `end`.
[[nodiscard]] std::optional<std::string_view> take(std::string_view& rest, char end);
/// Fills all of `fields` from the front of `rest`; a separator must follow each field. Returns
/// false if there are too few.
[[nodiscard]] bool take_fields(std::string_view& rest, char separator,
                               std::span<std::string_view> fields);
/// Takes a quoted field and the space after it from the front of `rest`; \" does not end the field.
[[nodiscard]] std::optional<std::string_view> take_quoted(std::string_view& rest);
/// Resolves \" \\ and \xNN, as Apache and nginx write them. Returns an empty text for "-".
[[nodiscard]] std::string unescape_field(std::string_view text);
/// Returns false if the text is not an HTTP status (100 to 599).
[[nodiscard]] bool parse_status(std::string_view text, int& status);
/// Reads method and target from a request line such as "GET /path HTTP/1.1". Changes neither if the
/// text is not a request line.
void parse_request(std::string_view request, AccessLogEntry& entry);

/// Makes a format whose lines can be read independently. Removes what a log transport has added to
/// a line before it calls `parse`.
[[nodiscard]] std::unique_ptr<AccessLogFormat> make_line_format(
    AccessLogFormat::Parsed (*parse)(std::string_view line, AccessLogEntry& entry));

/// Makes a format of lines that begin with a time, which must not be removed as if a log transport
/// had added it.
[[nodiscard]] std::unique_ptr<AccessLogFormat> make_unprefixed_format(
    AccessLogFormat::Parsed (*parse)(std::string_view line, AccessLogEntry& entry));

}  // namespace analytics::cli
