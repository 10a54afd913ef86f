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

/// Describes the bytes of a source file that a bulk request contains, so that a repeated request
/// is not stored again.
struct ImportRange {
  AccountId account = 0;
  std::string name;  ///< The import's name, from the header `Import-Id`.
  Digest source{};   ///< Id of the source file.
  ByteRange bytes;
  Digest content{};  ///< First 16 bytes of the request body's SHA-256.
  /// Domains that the request's key is limited to; empty for all.
  std::vector<std::string> only_sites{};
  /// Name of the log whose rotated files are imported, from the header `Import-Log`; empty if the
  /// header was not sent.
  std::string log{};
};

/// A hash of the Idempotency-Key that a client sent with a bulk request. Until the key expires, a
/// request with an equal hash is a repetition.
struct BatchKey {
  Digest hash{};
  Digest content{};  ///< Hash of the request's body.
  UnixSeconds expires_at{};
};

/// The part of an import that concerns a single site.
struct Import {
  struct Range {
    ByteRange bytes;
    Digest content{};  ///< Hash as in ImportRange::content; undefined for joined ranges.
  };
  struct Source {
    Digest id{};
    /// Stored ranges in ascending order; adjacent ranges are joined unless
    /// store::WantedRanges::each is set.
    std::vector<Range> ranges;
  };
  ImportId id = 0;
  SiteId site = 0;
  std::string name;
  UnixSeconds created_at{};
  std::int64_t events = 0;  ///< Stored events that have not been removed.
  std::int64_t totals = 0;  ///< Lines of daily totals.
  std::vector<Source> sources;
  /// True while the events of a deleted import are being removed. A client may already load the
  /// import again.
  bool undoing = false;
  /// Name of the log that the source files are rotations of; empty if they belong to no log.
  std::string log{};
  /// If the object stands for all imports of a log, which are listed and undone together: the names
  /// of these imports. Otherwise empty.
  std::vector<std::string> imports{};
  /// Days on which some events arrived after the day's salt was destroyed, so that their visitors
  /// could not be recognised.
  std::vector<Caveats::LostDay> recognition_lost{};
};

/// Parses the id of a source file: 32 hex digits.
[[nodiscard]] std::optional<Digest> parse_source_id(std::string_view text);
/// Parses "<from>-<to>", where `to` is exclusive. Returns nullopt for an empty range.
[[nodiscard]] std::optional<ByteRange> parse_byte_range(std::string_view text);
[[nodiscard]] std::string to_text(const ByteRange& range);

}  // namespace analytics
