#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/caveats.h"
#include "common/secret.h"
#include "common/time.h"
#include "daemon/model/site.h"

namespace analytics {

using ImportId = std::int64_t;

/// Bytes of a source, `to` exclusive.
struct ByteRange {
  std::int64_t from = 0;
  std::int64_t to = 0;
  bool operator==(const ByteRange&) const = default;
};

/// The origin of a bulk request's lines, with the hash of its body.
struct ImportRange {
  AccountId account = 0;
  std::string name;  ///< The import's, from Import-Id.
  Digest source{};   ///< Stands for a file.
  ByteRange bytes;
  Digest content{};                       ///< The first 16 bytes of the body's SHA-256.
  std::vector<std::string> only_sites{};  ///< Domains that the key is limited to; empty: all.
  std::string log{};  ///< Of which the source is a part, from Import-Log; empty: none.
};

/// A client's promise that equal keys are the same bulk request.
struct BatchKey {
  Digest hash{};
  Digest content{};
  UnixSeconds expires_at{};
};

/// The part of an import that one site stores.
struct Import {
  struct Range {
    ByteRange bytes;
    Digest content{};  ///< See ImportRange; means nothing where ranges are joined.
  };
  struct Source {
    Digest id{};
    std::vector<Range> ranges;  ///< In order; neighbours joined unless asked otherwise.
  };
  ImportId id = 0;
  SiteId site = 0;
  std::string name;
  UnixSeconds created_at{};
  std::int64_t events = 0;  ///< Stored, and not yet taken back.
  std::int64_t totals = 0;  ///< Lines of daily totals.
  std::vector<Source> sources;
  bool undoing = false;  ///< Deleted: its events are leaving, perhaps while others come again.
  std::string log{};     ///< The import is one of those of this log; empty: of none.
  /// Of a log, which is listed and undone as one: the names of its imports; else empty.
  std::vector<std::string> imports{};
  /// Days of which events came when their visitors could not be recognised any more.
  std::vector<Caveats::LostDay> recognition_lost{};
};

/// 32 hex digits.
[[nodiscard]] std::optional<Digest> parse_source_id(std::string_view text);
/// "<from>-<to>", not empty.
[[nodiscard]] std::optional<ByteRange> parse_byte_range(std::string_view text);
[[nodiscard]] std::string to_text(const ByteRange& range);

}  // namespace analytics
