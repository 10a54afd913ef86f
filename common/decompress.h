#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "common/result.h"

namespace analytics {

/// How the body of a request is packed: its Content-Encoding.
enum class ContentCoding { kIdentity, kGzip, kZstd };

/// Empty text is kIdentity; nullopt for a coding we do not know. Any case.
[[nodiscard]] std::optional<ContentCoding> parse_content_coding(std::string_view name);

/// The whole text, which may be several gzip members or zstd frames. Stops as soon as `max_bytes`
/// are passed, so that a small body cannot unpack into all memory. Errors: kBodyTooLarge;
/// kMalformedBody when the data is damaged, cut, or followed by something else.
[[nodiscard]] Result<std::string> decompress(std::string_view packed, ContentCoding coding,
                                             std::size_t max_bytes);

}  // namespace analytics
