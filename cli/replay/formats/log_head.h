#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace analytics::cli {

/// The part of an access log line before its time: `[host] client identity user [`.
struct LogHead {
  std::string host;    ///< Virtual host without its port; empty if the line names none.
  std::string client;  ///< An address, or the name to which the server resolved it.
};

/// Parses the part of an access log line before its time. The client may be a list of addresses as
/// in X-Forwarded-For, of which client_of_list() chooses one. A host may come before the client,
/// or in the place of the identity (lighttpd). Returns nullopt for any other words, so that they
/// cannot be mistaken for a client.
[[nodiscard]] std::optional<LogHead> parse_log_head(std::string_view words);

/// Removes the prefix that a log transport adds to each line: syslog (RFC 3164, RFC 5424, and
/// rsyslog's form with an RFC 3339 time), docker compose, the container runtime interface, or
/// kubectl logs. Returns the line unchanged if it has no such prefix.
[[nodiscard]] std::string_view without_transport_prefix(std::string_view line);

/// Returns the line that the web server wrote, without the prefix or the JSON object that a log
/// transport has put around it: Docker ("log"), Kubernetes collectors ("log", "message"), journald
/// ("MESSAGE"). Text from JSON is stored in `buffer`, which must outlive the result.
[[nodiscard]] std::string_view bare_line(std::string_view line, std::string& buffer);
/// Returns the JSON object that the web server logged, without the prefix or the JSON object that
/// a log transport has put around it. The server's own object may have a member such as "message",
/// so a member is unwrapped only if it contains an object. Text from JSON is stored in `buffer`,
/// which must outlive the result.
[[nodiscard]] std::string_view bare_json(std::string_view line, std::string& buffer);

/// Returns true for a host name, with or without a port: letters, digits, `-`, `_` and dots, with
/// at least one dot unless it is localhost. Returns false for an address.
[[nodiscard]] bool looks_like_host(std::string_view text);

}  // namespace analytics::cli
