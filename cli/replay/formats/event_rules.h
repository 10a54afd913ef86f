#pragma once

#include "cli/replay/formats/reader.h"

namespace analytics::cli {

/// Makes an event of a record that is not itself an event body, and checks it against the rules for
/// events. Returns kInvalidEvent or kInvalidTimestamp if it breaks one.
[[nodiscard]] ReadLine checked_event(EventPayload payload, const ReaderOptions& options);

/// Returns the host of a site or a logged host as a URL can contain it: without scheme, port and
/// path, and with `-` for spaces.
[[nodiscard]] std::string host_of(std::string_view text);

/// Returns the site that the user names for a record; empty if the record's own site counts.
[[nodiscard]] inline const std::string& site_of(const ReaderOptions& options) {
  return options.site_override.empty() ? options.site : options.site_override;
}

/// Returns the URL prefix for pages whose records contain only a path: `--base` without its last
/// `/`, else the first site. Empty if there is neither.
[[nodiscard]] std::string base_of(const ReaderOptions& options);

/// Returns the error for a record that names no site when there is no `--site`.
[[nodiscard]] Error no_site_error();

}  // namespace analytics::cli
