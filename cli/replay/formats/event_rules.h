#pragma once

#include "cli/replay/formats/reader.h"

namespace analytics::cli {

/// An event made of a record that is no body of an event itself. The rules of an event hold for it
/// too: kInvalidEvent and kInvalidTimestamp say which it breaks.
[[nodiscard]] ReadLine checked_event(EventPayload payload, const ReaderOptions& options);

/// The host of a site or a log, as a URL may hold it: no scheme, port, path or spaces.
[[nodiscard]] std::string host_of(std::string_view text);

/// The site that the user names for a record; empty: the record names its own.
[[nodiscard]] inline const std::string& site_of(const ReaderOptions& options) {
  return options.site_override.empty() ? options.site : options.site_override;
}

/// The beginning of pages whose records tell a path only: `--base` without its last `/`, else the
/// site. Empty: there is neither.
[[nodiscard]] std::string base_of(const ReaderOptions& options);

/// Why a record without `--site` is refused, if it does not name one.
[[nodiscard]] Error no_site_error();

}  // namespace analytics::cli
