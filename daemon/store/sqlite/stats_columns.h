#pragma once

#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "daemon/model/goal.h"
#include "daemon/model/query.h"
#include "daemon/store/sqlite/stats_scan.h"

namespace analytics::sqlite {

/// One dimension of events as small numbers, and what these read as. Equal texts are one number,
/// whatever they are stored as.
class Column {
 public:
  /// Extract returns a row's value as a number of the store; Describe returns the text of that
  /// number.
  using Extract = std::function<std::int64_t(const EventRow&)>;
  using Describe = std::function<std::string(std::int64_t)>;

  /// Charges the memory of the values that it keeps to `budget`, which must outlive the column.
  Column(Extract extract, Describe describe, Budget& budget)
      : extract_(std::move(extract)), describe_(std::move(describe)), budget_(budget) {}

  [[nodiscard]] std::uint32_t number(const EventRow& row) {
    const auto stored = static_cast<std::size_t>(extract_(row));
    if (stored < numbers_.size() && numbers_[stored] != kUnknown) return numbers_[stored];
    return learn(stored);
  }
  [[nodiscard]] const std::string& text(std::uint32_t number) const { return *texts_[number]; }

 private:
  static constexpr std::uint32_t kUnknown = UINT32_MAX;
  std::uint32_t learn(std::size_t stored);

  Extract extract_;
  Describe describe_;
  Budget& budget_;
  std::vector<std::uint32_t> numbers_;  ///< By the store's.
  std::unordered_map<std::string, std::uint32_t> by_text_;
  std::vector<const std::string*> texts_;  ///< Keys of by_text_, which stay where they are.
};

/// How nothing reads.
enum class Empty { kNamed, kEmpty };

/// REQUIRES: a dimension of one text; not goals, keys of props or time. `texts` outlives it.
[[nodiscard]] Column make_column(const Dimension& dimension, DictionaryReader& texts, Empty empty);

/// The bucket that an event's time lies in. Events come nearly in order: mostly it is that of the
/// last. REQUIRES: `starts` is in order, not empty, and outlives it.
class TimeColumn {
 public:
  explicit TimeColumn(const std::vector<UnixSeconds>& starts) : starts_(starts) {}
  [[nodiscard]] std::uint32_t number(const EventRow& row);

 private:
  const std::vector<UnixSeconds>& starts_;
  std::size_t last_ = 0;
};

/// Adds what the dimension is read from.
void ask_for(Field field, Columns& columns);

/// A dimension of which an event can have several values, or none.
class ListColumn {
 public:
  virtual ~ListColumn() = default;
  /// Valid until the next call.
  [[nodiscard]] virtual const std::vector<std::uint32_t>& numbers(const EventRow& row) = 0;
  [[nodiscard]] virtual std::string text(std::uint32_t number) const = 0;

 protected:
  static constexpr std::size_t kEntry = 96;  ///< Bytes of one of its maps' entries, about.
};

/// The goals that events meet, by their places in the list. What an event's name and path meet is
/// found once. `goals` and `texts` outlive it.
class GoalColumn final : public ListColumn {
 public:
  GoalColumn(const std::vector<Goal>& goals, DictionaryReader& texts);
  [[nodiscard]] const std::vector<std::uint32_t>& numbers(const EventRow& row) override;
  [[nodiscard]] std::string text(std::uint32_t number) const override {
    return goal_name(goals_[number]);
  }

 private:
  const std::vector<Goal>& goals_;
  DictionaryReader& texts_;
  std::vector<std::uint32_t> numbers_;  ///< By goal: the first that reads the same.
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> met_;
};

/// The keys of events' props. `texts` outlives it.
class PropKeyColumn final : public ListColumn {
 public:
  explicit PropKeyColumn(DictionaryReader& texts) : texts_(texts) {}
  [[nodiscard]] const std::vector<std::uint32_t>& numbers(const EventRow& row) override;
  [[nodiscard]] std::string text(std::uint32_t number) const override { return keys_[number]; }

 private:
  DictionaryReader& texts_;
  std::unordered_map<std::int64_t, std::vector<std::uint32_t>> of_props_;
  std::unordered_map<std::string, std::uint32_t> numbers_;
  std::vector<std::string> keys_;
};

/// The columns that the conditions of one query read. Conditions on the same dimension share a
/// column, so that each text is kept once however many conditions there are. `selection` and
/// `texts` outlive it.
class FilterColumns {
 public:
  FilterColumns(const Selection& selection, DictionaryReader& texts)
      : selection_(selection), texts_(texts) {}
  [[nodiscard]] Column& column(const Dimension& dimension);
  [[nodiscard]] GoalColumn& goals();
  [[nodiscard]] const Selection& selection() const { return selection_; }
  [[nodiscard]] DictionaryReader& texts() { return texts_; }

 private:
  const Selection& selection_;
  DictionaryReader& texts_;
  std::vector<std::pair<Dimension, std::unique_ptr<Column>>> columns_;
  std::unique_ptr<GoalColumn> goals_;
};

}  // namespace analytics::sqlite
