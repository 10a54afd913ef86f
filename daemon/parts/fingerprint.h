#pragma once

#include <array>
#include <cstdint>

#include "daemon/query/events/event_batch.h"
#include "daemon/query/events/event_part.h"
#include "daemon/query/events/raw_event.h"

namespace analytics::parts {

/// A checksum of events that does not depend on their order: a sum over all values of all columns.
/// Rows and the part made of them have equal fingerprints. It ignores the ids of visitors and
/// visits, because parts do not keep most of them.
class Fingerprint {
 public:
  /// Adds the events in `rows` of a batch. REQUIRES: the batch has PartBuilder::columns().
  void add(const query::EventBatch& batch, const query::RowList& rows);
  void add(query::EventPart& part);
  bool operator==(const Fingerprint&) const = default;

 private:
  void add(query::Column column, std::int64_t value);

  std::uint64_t events_ = 0;
  std::array<std::uint64_t, query::kColumns> sums_{};
};

/// A checksum of RawEvents that does not depend on their order. It covers all members except the
/// ids of visitors, visits and events.
class RawFingerprint {
 public:
  void add(const query::RawEvent& event);
  bool operator==(const RawFingerprint&) const = default;

 private:
  std::uint64_t events_ = 0;
  std::uint64_t sum_ = 0;
};

}  // namespace analytics::parts
