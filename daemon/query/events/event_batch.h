#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "daemon/model/client.h"
#include "daemon/model/query.h"
#include "daemon/query/events/column.h"
#include "daemon/query/events/event_part.h"
#include "daemon/query/events/raw_event.h"

namespace analytics::query {

/// Events as columns of numbers: row i of each column belongs to the same event.
class EventBatch {
 public:
  /// Maximum number of rows that an EventSource returns at once.
  static constexpr std::size_t kCapacity = 2'048;
  /// Lowest id of a passing visit: all rows of such a visit follow one another in a scan.
  static constexpr std::int64_t kPassingVisits = std::int64_t{1} << 62;

  explicit EventBatch(const ColumnSet& columns, std::size_t capacity = kCapacity)
      : columns_(columns) {
    for (std::size_t i = 0; i < kColumns; ++i) {
      if (columns.has(static_cast<Column>(i))) values_[i].resize(capacity);
    }
  }
  [[nodiscard]] const ColumnSet& columns() const { return columns_; }
  [[nodiscard]] std::size_t size() const { return size_; }
  void set_size(std::size_t rows) { size_ = rows; }

  /// Returns the values of a column. REQUIRES: a column of columns().
  [[nodiscard]] std::span<const std::int64_t> operator[](Column column) const {
    return values_[index_of(column)];
  }
  /// Sets a value, or does nothing if the query does not read the column. Called by an EventSource.
  void set(Column column, std::size_t row, std::int64_t value) {
    auto& values = values_[index_of(column)];
    if (!values.empty()) values[row] = value;
  }

 private:
  const ColumnSet columns_;
  std::array<std::vector<std::int64_t>, kColumns> values_;
  std::size_t size_ = 0;
};

/// A visit whose events are all in one part. A scan reads them one after another, so the visit is a
/// passing visit: its number() is at least kPassingVisits.
struct PartVisit {
  PartId part;
  std::uint32_t visit;  ///< Index of the visit among the part's visits.

  /// Returns the visit's value in the column kVisit, which no other visit has.
  [[nodiscard]] std::int64_t number() const {
    return EventBatch::kPassingVisits + (part << kBits | visit);
  }
  /// Returns the visit whose number() is `number`. Any other number that is at least kPassingVisits
  /// gives a part that does not exist.
  [[nodiscard]] static PartVisit of(std::int64_t number) {
    const auto place = number - EventBatch::kPassingVisits;
    return {place >> kBits, static_cast<std::uint32_t>(place & ((1 << kBits) - 1))};
  }

 private:
  static constexpr int kBits = std::bit_width(EventPart::kMaxEvents - 1);
};

/// Indexes of rows in a batch, ascending, such as the rows that a filter accepts.
using RowList = std::vector<std::uint32_t>;

/// A single pass over events, one batch after another.
class BatchSource {
 public:
  virtual ~BatchSource() = default;
  /// Replaces the batch's rows with the next ones. Returns false if there are no more.
  virtual bool next(EventBatch& batch) = 0;
};

/// A group of events from an EventSource. Each has the values it was sent with, instead of those of
/// its visit's first event.
struct RawEvents {
  std::vector<RawEvent> events{};
  /// True if no other RawEvents of the pass has events of these visits.
  bool has_whole_visits = false;
};

/// A single pass over raw events, in any order.
class RawSource {
 public:
  virtual ~RawSource() = default;
  /// Replaces the events with the next ones. Returns false if there are no more.
  virtual bool next(RawEvents& events) = 0;
};

/// Looks up the texts of an EventSource by their ids. The id 0 and unassigned ids mean an empty
/// value.
class Texts {
 public:
  virtual ~Texts() = default;
  /// Returns the text with an id in the column's dictionary. REQUIRES: a column of texts.
  [[nodiscard]] virtual std::string text(Column column, std::int64_t number) = 0;
  /// Returns the id of a text in the column's dictionary, in which equal texts have the same id; 0
  /// if the text is not in it.
  [[nodiscard]] virtual std::int64_t number(Column column, std::string_view text) = 0;
  [[nodiscard]] virtual Client client(std::int64_t number) = 0;
  [[nodiscard]] virtual Place place(std::int64_t number) = 0;
};

/// The sums of a group that the EventSource itself has computed; see EventSource::sum().
struct SourceGroup {
  /// For each dimension of the grouping: the EventSource's id of the text, or the index of the time
  /// bucket. No two groups have values that the grouping regards as equal.
  std::span<const std::int64_t> values;
  std::int64_t visitors = 0;
  /// Number of events in the group; 0, like `pageviews`, if the grouping does not count events.
  std::int64_t events = 0;
  std::int64_t pageviews = 0;
};
/// Receives a group from EventSource::sum(). `grouping`: index in Aggregation::groupings.
using TakeGroup = std::function<void(std::size_t grouping, const SourceGroup& group)>;

/// A snapshot of a site's stored events. A store makes one for each query. Its functions throw
/// LimitReached and the store's own errors.
class EventSource {
 public:
  virtual ~EventSource() = default;
  /// Returns the parts with events in the range; empty if the site has none, or if the store makes
  /// no parts.
  [[nodiscard]] virtual std::vector<PartId> parts(const TimeRange& range);
  /// Opens a part. REQUIRES: `part` is in parts().
  [[nodiscard]] virtual std::unique_ptr<EventPart> open_part(PartId part);
  /// Reads all events of the range that are not in parts, except engagements.
  [[nodiscard]] virtual std::unique_ptr<BatchSource> scan(const TimeRange& range,
                                                          const ColumnSet& columns) = 0;
  /// Reads only the engagements of the range; the default returns none.
  [[nodiscard]] virtual std::unique_ptr<BatchSource> scan_engagements(const TimeRange& range,
                                                                      const ColumnSet& columns);
  /// Reads all raw events of the range, including engagements, and perhaps some events outside the
  /// range. REQUIRES: the derived class overrides this function; the default throws
  /// std::logic_error.
  [[nodiscard]] virtual std::unique_ptr<RawSource> scan_raw(const TimeRange& range);
  /// Sums all selected events if this is faster than reading them through parts() and scan(), and
  /// calls `take` with each group of each grouping. Returns false if it has done nothing. REQUIRES:
  /// no engagements are selected.
  [[nodiscard]] virtual bool sum(const Aggregation& aggregation, const TakeGroup& take);
  [[nodiscard]] virtual Texts& texts() = 0;
};

}  // namespace analytics::query
