#pragma once

#include <cstdint>

namespace analytics::store {

/// Sizes of the store's files, in bytes.
struct Sizes {
  std::uint64_t database = 0;
  /// Size of the write-ahead log, which contains changes not yet in the database file.
  std::uint64_t log = 0;
};

/// Counts of the parts and events that are stored as columns.
struct ColumnCounts {
  struct Parts {
    std::int64_t parts = 0;
    std::int64_t events = 0;
    std::int64_t bytes = 0;
  };
  Parts copies;                    ///< Parts with copies of events that are also stored as rows.
  Parts sealed;                    ///< Sealed parts, the only place with their events.
  std::int64_t unsealed_days = 0;  ///< Days that still have unsealed rows, summed over sites.
  // Work done since the daemon started: events moved into sealed parts, and sealed parts
  // rewritten.
  std::int64_t sealed_events = 0;
  std::int64_t rewritten_parts = 0;
};

}  // namespace analytics::store
