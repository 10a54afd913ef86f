#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "cli/replay/formats/access_log_format.h"

/// The parts of a log line that stand one after another, and formats that are made of them.
namespace analytics::cli {

/// Takes the text up to `end` off the front, and `end` with it.
[[nodiscard]] std::optional<std::string_view> take(std::string_view& rest, char end);
/// Takes as many fields as there are places, each with a separator behind it. False: there are
/// fewer.
[[nodiscard]] bool take_fields(std::string_view& rest, char separator,
                               std::span<std::string_view> fields);
/// Takes a quoted field and the blank behind it; \" does not end it.
[[nodiscard]] std::optional<std::string_view> take_quoted(std::string_view& rest);
/// Resolves \" \\ and \xNN, as Apache and nginx write them. "-" is empty.
[[nodiscard]] std::string unescape_field(std::string_view text);
/// Returns false for what is no status of HTTP.
[[nodiscard]] bool parse_status(std::string_view text, int& status);
/// "GET /path HTTP/1.1": what is no request of HTTP leaves both empty.
void parse_request(std::string_view request, AccessLogEntry& entry);

/// A format whose lines need no memory of others. What a transport has put around a line is
/// removed before the function sees it.
[[nodiscard]] std::unique_ptr<AccessLogFormat> make_line_format(
    AccessLogFormat::Parsed (*parse)(std::string_view line, AccessLogEntry& entry));

/// Makes a format of lines that begin with a time, which would be taken for a transport's.
[[nodiscard]] std::unique_ptr<AccessLogFormat> make_unprefixed_format(
    AccessLogFormat::Parsed (*parse)(std::string_view line, AccessLogEntry& entry));

}  // namespace analytics::cli
