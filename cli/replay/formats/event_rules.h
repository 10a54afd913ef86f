#pragma once

#include "cli/replay/formats/reader.h"

namespace analytics::cli {

/// Checks an event that was made from a record against the server's rules for events. Returns the
/// event, or an error with kInvalidEvent or kInvalidTimestamp if it breaks a rule.
[[nodiscard]] ReadLine checked_event(EventPayload payload, const ReaderOptions& options);

/// Converts a site's name or a logged host to the host of a URL: removes scheme, port and path,
/// and replaces spaces with `-`.
[[nodiscard]] std::string host_of(std::string_view text);

/// Returns the site that the user set with `--site-override` or `--site`; empty if each record must
/// name its own.
[[nodiscard]] inline const std::string& site_of(const ReaderOptions& options) {
  return options.site_override.empty() ? options.site : options.site_override;
}

/// Returns the URL prefix for pages whose records contain only a path: `--base` without a final
/// `/`, or else `https://` and the first site that the user set. Empty if there is neither.
[[nodiscard]] std::string base_of(const ReaderOptions& options);

/// Returns the error for a record that names no site if the user set none.
[[nodiscard]] Error no_site_error();

}  // namespace analytics::cli
