#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/run/secret.h"
#include "common/text/time.h"
#include "common/wire/caveats.h"
#include "daemon/model/site.h"

namespace analytics {

using ImportId = std::int64_t;

/// A range of bytes of a source file; `to` is exclusive.
struct ByteRange {
  std::int64_t from = 0;
  std::int64_t to = 0;
  bool operator==(const ByteRange&) const = default;
};

/// The range of a source file that contains the lines of a bulk request, with the hash of its body.
struct ImportRange {
  AccountId account = 0;
  std::string name;  ///< The import's name, from the header `Import-Id`.
  Digest source{};   ///< Id of the source file.
  ByteRange bytes;
  Digest content{};                       ///< First 16 bytes of the body's SHA-256.
  std::vector<std::string> only_sites{};  ///< Domains that the key is limited to; empty: all.
  /// Name of the log that the file is a rotation of, from the header `Import-Log`; may be empty.
  std::string log{};
};

/// A client's key for a bulk request. Bulk requests with equal keys are the same request.
struct BatchKey {
  Digest hash{};
  Digest content{};
  UnixSeconds expires_at{};
};

/// The part of an import that belongs to a single site.
struct Import {
  struct Range {
    ByteRange bytes;
    Digest content{};  ///< Like ImportRange::content; undefined for joined ranges.
  };
  struct Source {
    Digest id{};
    /// In order; adjacent ranges are joined unless store::WantedRanges::each is set.
    std::vector<Range> ranges;
  };
  ImportId id = 0;
  SiteId site = 0;
  std::string name;
  UnixSeconds created_at{};
  std::int64_t events = 0;  ///< Stored events that have not been removed.
  std::int64_t totals = 0;  ///< Lines of daily totals.
  std::vector<Source> sources;
  /// True while the events of a deleted import are being removed. It may already be loaded again.
  bool undoing = false;
  std::string log{};  ///< Log that the import belongs to; may be empty.
  /// For a log, which is listed and undone as a unit: the names of its imports. Otherwise empty.
  std::vector<std::string> imports{};
  /// Days with events that arrived too late to recognise their visitors.
  std::vector<Caveats::LostDay> recognition_lost{};
};

/// Parses 32 hex digits.
[[nodiscard]] std::optional<Digest> parse_source_id(std::string_view text);
/// Parses "<from>-<to>"; rejects an empty range.
[[nodiscard]] std::optional<ByteRange> parse_byte_range(std::string_view text);
[[nodiscard]] std::string to_text(const ByteRange& range);

}  // namespace analytics
