#pragma once

namespace analytics {

/// zlib's `windowBits` for the largest window with gzip's framing, and no other.
inline constexpr int kGzipWindow = 15 + 16;

}  // namespace analytics
