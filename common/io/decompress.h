#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "common/run/result.h"

namespace analytics {

/// Content-Encoding of a request's body.
enum class ContentCoding { kIdentity, kGzip, kZstd };

/// Parses a Content-Encoding in any case. An empty text is kIdentity; nullopt if the coding is
/// unknown.
[[nodiscard]] std::optional<ContentCoding> parse_content_coding(std::string_view name);

/// Returns the whole unpacked text, which may consist of several gzip members or zstd frames. Stops
/// once the text exceeds `max_bytes`, so that a small body cannot fill the memory. Errors:
/// kBodyTooLarge; kMalformedBody if the data is damaged, truncated, or followed by other bytes.
[[nodiscard]] Result<std::string> decompress(std::string_view packed, ContentCoding coding,
                                             std::size_t max_bytes);

}  // namespace analytics
