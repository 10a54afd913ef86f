#pragma once

#include <array>
#include <cstdint>

#include "daemon/parts/raw_event.h"
#include "daemon/query/event_batch.h"
#include "daemon/query/event_part.h"

namespace analytics::parts {

/// A sum over all values of all columns, in any order of the events: rows and the part made of them
/// have equal ones. Visitors and visits count by their shape alone: parts do not know their ids.
class Fingerprint {
 public:
  /// The batch has PartBuilder::columns().
  void add(const query::EventBatch& batch, const query::RowList& rows);
  void add(query::EventPart& part);
  bool operator==(const Fingerprint&) const = default;

 private:
  void add(query::Column column, std::int64_t value);

  std::uint64_t events_ = 0;
  std::array<std::uint64_t, query::kColumns> sums_{};
};

/// Sums over all that RawEvents are, but the numbers of visitors, visits and events.
class RawFingerprint {
 public:
  void add(const RawEvent& event);
  bool operator==(const RawFingerprint&) const = default;

 private:
  std::uint64_t events_ = 0;
  std::uint64_t sum_ = 0;
};

}  // namespace analytics::parts
