#pragma once

namespace analytics {

/// zlib's `windowBits` for the largest window, with gzip framing only.
inline constexpr int kGzipWindow = 15 + 16;

}  // namespace analytics
