#pragma once

#include <functional>
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
  /// What of a row tells the value, as a number of the store; and the text of that number.
  using Extract = std::function<std::int64_t(const EventRow&)>;
  using Describe = std::function<std::string(std::int64_t)>;

  Column(Extract extract, Describe describe)
      : extract_(std::move(extract)), describe_(std::move(describe)) {}

  [[nodiscard]] std::uint32_t number(const EventRow& row) {
    const auto stored = static_cast<std::size_t>(extract_(row));
    if (stored < numbers_.size() && numbers_[stored] != kUnknown) return numbers_[stored];
    return learn(stored);
  }
  [[nodiscard]] const std::string& text(std::uint32_t number) const { return *texts_[number]; }
  [[nodiscard]] std::size_t memory() const {
    return memory_ + numbers_.capacity() * 4;
  }  ///< Bytes.

 private:
  static constexpr std::uint32_t kUnknown = UINT32_MAX;
  std::uint32_t learn(std::size_t stored);

  Extract extract_;
  Describe describe_;
  std::vector<std::uint32_t> numbers_;  ///< By the store's.
  std::unordered_map<std::string, std::uint32_t> by_text_;
  std::vector<const std::string*> texts_;  ///< Keys of by_text_, which stay where they are.
  std::size_t memory_ = 0;
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
  [[nodiscard]] virtual std::size_t memory() const = 0;  ///< Bytes.

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
  [[nodiscard]] std::size_t memory() const override { return met_.size() * kEntry; }

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
  [[nodiscard]] std::size_t memory() const override {
    return (of_props_.size() + 2 * keys_.size()) * kEntry;
  }

 private:
  DictionaryReader& texts_;
  std::unordered_map<std::int64_t, std::vector<std::uint32_t>> of_props_;
  std::unordered_map<std::string, std::uint32_t> numbers_;
  std::vector<std::string> keys_;
};

}  // namespace analytics::sqlite
