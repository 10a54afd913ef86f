#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "daemon/model/client.h"
#include "daemon/model/query.h"
#include "daemon/query/column.h"
#include "daemon/query/event_part.h"

namespace analytics::query {

/// Events as columns of numbers: row i of each column belongs to the same event.
class EventBatch {
 public:
  static constexpr std::size_t kCapacity = 2'048;  ///< Rows.
  /// Values of kVisit from here on are visits of parts, which have no row: no row's id is as large.
  static constexpr std::int64_t kVisitsOfParts = std::int64_t{1} << 61;
  /// Values of kVisit from here on: all that is read of the visit comes one after another.
  static constexpr std::int64_t kPassingVisits = std::int64_t{1} << 62;

  explicit EventBatch(const ColumnSet& columns) : columns_(columns) {
    for (std::size_t i = 0; i < kColumns; ++i) {
      if (columns.has(static_cast<Column>(i))) values_[i].resize(kCapacity);
    }
  }
  [[nodiscard]] const ColumnSet& columns() const { return columns_; }
  [[nodiscard]] std::size_t size() const { return size_; }
  void set_size(std::size_t rows) { size_ = rows; }

  /// The values of one column. REQUIRES: a column of columns().
  [[nodiscard]] std::span<const std::int64_t> operator[](Column column) const {
    return values_[index_of(column)];
  }
  /// For sources: sets a value if anybody reads the column.
  void set(Column column, std::size_t row, std::int64_t value) {
    auto& values = values_[index_of(column)];
    if (!values.empty()) values[row] = value;
  }

 private:
  const ColumnSet columns_;
  std::array<std::vector<std::int64_t>, kColumns> values_;
  std::size_t size_ = 0;
};

/// Rows of a batch in ascending order, such as those that a filter accepts.
using RowList = std::vector<std::uint32_t>;

/// One reading of events, in order of arrival.
class BatchSource {
 public:
  virtual ~BatchSource() = default;
  /// Replaces the batch's rows by the next ones. False when there are no more.
  virtual bool next(EventBatch& batch) = 0;
};

/// Looks up what the numbers of a source mean. The number 0, and one that nothing has, mean an
/// empty value.
class Texts {
 public:
  virtual ~Texts() = default;
  /// REQUIRES: a column of texts.
  [[nodiscard]] virtual std::string text(Column column, std::int64_t number) = 0;
  /// Returns the number of a text, which is the only one; 0 if nothing has it.
  [[nodiscard]] virtual std::int64_t number(Column column, std::string_view text) = 0;
  [[nodiscard]] virtual Client client(std::int64_t number) = 0;
  [[nodiscard]] virtual Place place(std::int64_t number) = 0;
};

/// A group that a source has summed by itself.
struct SourceGroup {
  /// By dimension: the source's number of the text, or the place of the time's bucket. No two
  /// groups have values that the grouping takes for the same.
  std::span<const std::int64_t> values;
  std::int64_t visitors = 0;
  std::int64_t events = 0;  ///< Not where the grouping does not count them, as the next.
  std::int64_t pageviews = 0;
};
using TakeGroup = std::function<void(std::size_t grouping, const SourceGroup& group)>;

/// The stored events of one site, at one moment. A store implements it for each query. Its
/// functions throw LimitReached, and what the store's own failures are.
class EventSource {
 public:
  virtual ~EventSource() = default;
  /// Returns the parts that hold events of the range; none where the source has no parts.
  [[nodiscard]] virtual std::vector<PartId> parts(const TimeRange& range);
  /// REQUIRES: one of parts().
  [[nodiscard]] virtual std::unique_ptr<EventPart> open_part(PartId part);
  /// Reads all events of the range that are in none of its parts, except engagements.
  [[nodiscard]] virtual std::unique_ptr<BatchSource> scan(const TimeRange& range,
                                                          const ColumnSet& columns) = 0;
  /// Reads the engagements of the range, and nothing else; none where the source has none.
  [[nodiscard]] virtual std::unique_ptr<BatchSource> scan_engagements(const TimeRange& range,
                                                                      const ColumnSet& columns);
  /// Sums all selected events in place of parts() and scan(), where the source can do that better,
  /// and calls `take` with each group of each grouping. False if it has done nothing. REQUIRES: no
  /// engagements are selected.
  [[nodiscard]] virtual bool sum(const Aggregation& aggregation, const TakeGroup& take);
  [[nodiscard]] virtual Texts& texts() = 0;
};

}  // namespace analytics::query
