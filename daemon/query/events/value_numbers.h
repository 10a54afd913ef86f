#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "daemon/model/groups.h"
#include "daemon/query/events/budget.h"
#include "daemon/query/events/event_batch.h"

namespace analytics::query {

/// Assigns ids to the texts of a dimension: equal texts have equal ids. For most dimensions, these
/// are the EventSource's own ids, so no text needs to be read. For others, an id of the EventSource
/// stands for more than the dimension's text: a Client has both a browser and a system. Then each
/// id of the EventSource is looked up once, and its text gets an id of this object.
class ValueNumbers {
 public:
  /// REQUIRES: a field that column_of() accepts. `empty_text`: the text shown for an empty value.
  /// `texts` and `charges` must outlive the object.
  ValueNumbers(const Dimension& dimension, std::string empty_text, Texts& texts, Charges& charges);

  /// Sets `numbers` to the ids of the dimension's values in `rows`, in the same order.
  void assign(const EventBatch& batch, const RowList& rows, std::vector<std::uint32_t>& numbers);
  /// Returns the id that this object gives to the value with the id `stored` in the EventSource.
  [[nodiscard]] std::uint32_t number_of(std::int64_t stored) {
    if (describe_ == nullptr) {
      const bool is_empty = stored == as_empty_[0] || stored == as_empty_[1];
      return is_empty ? 0 : static_cast<std::uint32_t>(stored);
    }
    const auto at = static_cast<std::size_t>(stored);
    return at < numbers_.size() && numbers_[at] != kUnknown ? numbers_[at] : learn(at);
  }
  [[nodiscard]] Column column() const { return column_; }
  /// Returns the text to show for an id of this object.
  [[nodiscard]] std::string text(std::uint32_t number) const;
  /// Returns true if this object's ids are those of the EventSource; only then may find() be
  /// called.
  [[nodiscard]] bool are_of_source() const { return describe_ == nullptr; }
  /// Returns the id of a text; nullopt if the text has no id.
  [[nodiscard]] std::optional<std::uint32_t> find(std::string_view text) const;
  /// Returns the Groups::Space that this object's ids belong to.
  [[nodiscard]] Groups::Space space() const;

 private:
  /// Returns the text of an id of the EventSource.
  using Describe = std::function<std::string(std::int64_t)>;
  static constexpr std::uint32_t kUnknown = UINT32_MAX;

  static Describe describe(const Dimension& dimension, Texts& texts);
  /// Looks up the text of an id of the EventSource and returns this object's id of the text.
  std::uint32_t learn(std::size_t stored);

  const Column column_;
  /// Returns the text of an id of the EventSource; null if this object uses the EventSource's ids.
  const Describe describe_;
  const std::string empty_text_;
  Texts& source_;
  Charges& charges_;
  std::array<std::int64_t, 2> as_empty_{};  ///< Ids of the EventSource that mean "no value".
  std::vector<std::uint32_t> numbers_;      ///< This object's ids, by id of the EventSource.
  std::unordered_map<std::string, std::uint32_t> by_text_;
  /// Text of each id, as a pointer to a key of by_text_ (keys never move).
  std::vector<const std::string*> texts_;
};

/// Finds the time bucket of each event. A bucket is identified by its index in the list of the
/// buckets' start times.
class BucketNumbers {
 public:
  /// `starts`: start time of each bucket. REQUIRES: `starts` is sorted, not empty, and outlives the
  /// object.
  explicit BucketNumbers(const std::vector<UnixSeconds>& starts) : starts_(starts) {}
  /// Sets `numbers` to the indexes of the buckets of `rows`, in the same order.
  void assign(const EventBatch& batch, const RowList& rows, std::vector<std::uint32_t>& numbers);
  [[nodiscard]] std::size_t size() const { return starts_.size(); }
  /// Returns the bucket of a time; the first bucket if the time is before all buckets.
  [[nodiscard]] std::uint32_t bucket_at(UnixSeconds time) const;
  /// Returns when the next bucket begins; nullopt for the last bucket.
  [[nodiscard]] std::optional<UnixSeconds> begin_of_next(std::uint32_t bucket) const {
    return bucket + 1 < starts_.size() ? std::optional(starts_[bucket + 1]) : std::nullopt;
  }

 private:
  [[nodiscard]] std::uint32_t bucket_of(std::int64_t time);

  const std::vector<UnixSeconds>& starts_;
  /// Bucket of the event that was looked up last, usually also of the next event.
  std::size_t last_ = 0;
};

/// Assigns ids to the values of a dimension in which an event can have any number of values, such
/// as goals. The values follow from the event's id in a first column and, for some of these ids,
/// also from its id in a second column.
class ListNumbers {
 public:
  ListNumbers(Column first, std::optional<Column> second) : first_(first), second_(second) {}
  virtual ~ListNumbers() = default;
  [[nodiscard]] Column first() const { return first_; }
  [[nodiscard]] std::optional<Column> second() const { return second_; }
  /// Returns false if all events with the EventSource's id `first` in the first column have the
  /// same values, whatever the second column contains. REQUIRES: there is a second column.
  [[nodiscard]] virtual bool needs_second(std::int64_t first) = 0;
  /// Returns the ids of an event's values. `first` and `second` are the EventSource's ids in the
  /// event's columns; `second` may be 0 if needs_second() is false. The result stays valid as long
  /// as this object exists.
  [[nodiscard]] virtual const std::vector<std::uint32_t>& of(std::int64_t first,
                                                             std::int64_t second) = 0;
  /// Returns the ids of the values of a row.
  [[nodiscard]] const std::vector<std::uint32_t>& of(const EventBatch& batch, std::uint32_t row) {
    return of(batch[first_][row], second_ ? batch[*second_][row] : 0);
  }
  [[nodiscard]] virtual std::string text(std::uint32_t number) const = 0;

 private:
  const Column first_;
  const std::optional<Column> second_;
};

/// Finds the goals that an event meets. The id of a goal is its index in the list of goals. The
/// goals of each event name, and of each path of a pageview, are found once.
class GoalNumbers final : public ListNumbers {
 public:
  /// The arguments must outlive the object; memory is charged to `charges`.
  GoalNumbers(const std::vector<GoalGroup>& goals, Texts& texts, Charges& charges);
  using ListNumbers::of;
  [[nodiscard]] bool needs_second(std::int64_t name) override {
    return second() && of_name(name).is_pageview;
  }
  [[nodiscard]] const std::vector<std::uint32_t>& of(std::int64_t name, std::int64_t path) override;
  [[nodiscard]] std::string text(std::uint32_t number) const override {
    return goals_[number].name;
  }

 private:
  struct Name {
    bool is_pageview = false;
    std::vector<std::uint32_t> met;  ///< Goals that events with the name meet, except page goals.
  };
  [[nodiscard]] const Name& of_name(std::int64_t name);
  [[nodiscard]] std::vector<std::uint32_t> met_by(std::string_view name, std::string_view path);

  const std::vector<GoalGroup>& goals_;
  Texts& texts_;
  Charges& charges_;
  std::unordered_map<std::int64_t, Name> of_names_;
  /// Goals that a pageview meets, by the EventSource's id of the pageview's path.
  std::unordered_map<std::int64_t, std::vector<std::uint32_t>> of_pageviews_;
};

/// Assigns ids to the keys of the properties that events have.
class PropKeyNumbers final : public ListNumbers {
 public:
  /// The arguments must outlive the object; memory is charged to `charges`.
  PropKeyNumbers(Texts& texts, Charges& charges)
      : ListNumbers(Column::kProps, std::nullopt), texts_(texts), charges_(charges) {}
  using ListNumbers::of;
  [[nodiscard]] bool needs_second(std::int64_t) override { return false; }
  [[nodiscard]] const std::vector<std::uint32_t>& of(std::int64_t props, std::int64_t) override;
  [[nodiscard]] std::string text(std::uint32_t number) const override { return keys_[number]; }

 private:
  Texts& texts_;
  Charges& charges_;
  std::unordered_map<std::int64_t, std::vector<std::uint32_t>> of_props_;
  std::unordered_map<std::string, std::uint32_t> numbers_;
  std::vector<std::string> keys_;
};

}  // namespace analytics::query
