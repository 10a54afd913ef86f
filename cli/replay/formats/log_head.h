#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace analytics::cli {

/// The part of an access log line before its time: `[host] client identity user [`.
struct LogHead {
  std::string host;    ///< The virtual host without its port; empty: the line names none.
  std::string client;  ///< An address, or the name that the server has looked up for it.
};

/// Reads the words before the time. The client may be a list of addresses as in X-Forwarded-For:
/// its first public address counts, else its first. A host may stand before the client, or where
/// the identity would be (lighttpd). nullopt: the words are none of these, so that nobody may take
/// them for a visitor.
[[nodiscard]] std::optional<LogHead> parse_log_head(std::string_view words);

/// Removes what a transport puts before each line: syslog (RFC 3164, RFC 5424, and rsyslog's form
/// with an RFC 3339 time), docker compose, the container runtime interface, kubectl logs. Returns
/// the line itself when there is no such prefix.
[[nodiscard]] std::string_view without_transport_prefix(std::string_view line);

/// The line itself, without what a transport has put around it: a prefix as above, or the JSON of
/// Docker ("log"), Kubernetes' collectors ("log", "message") and journald ("MESSAGE"), whose text
/// is put into `buffer`.
[[nodiscard]] std::string_view bare_line(std::string_view line, std::string& buffer);
/// Does the same for lines of JSON, which may have members of those names: only JSON is taken out.
[[nodiscard]] std::string_view bare_json(std::string_view line, std::string& buffer);

/// True for a host name, possibly with a port: letters, digits, `-`, `_` and dots, with a dot
/// unless it is localhost. An address is none.
[[nodiscard]] bool looks_like_host(std::string_view text);

}  // namespace analytics::cli
