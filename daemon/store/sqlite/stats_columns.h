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

/// REQUIRES: not kGoal. `texts` and `buckets` outlive it. A time reads as the place of its bucket.
[[nodiscard]] Column make_column(const Dimension& dimension, DictionaryReader& texts,
                                 const std::vector<UnixSeconds>& buckets, Empty empty);

/// Adds what the dimension is read from.
void ask_for(Field field, Columns& columns);

/// The goals that events meet, by their places in the list. What an event's name and path meet is
/// found once. `goals` and `texts` outlive it.
class GoalColumn {
 public:
  GoalColumn(const std::vector<Goal>& goals, DictionaryReader& texts)
      : goals_(goals), texts_(texts) {}
  /// Valid until the next call.
  [[nodiscard]] const std::vector<std::uint32_t>& met_by(const EventRow& row);

 private:
  const std::vector<Goal>& goals_;
  DictionaryReader& texts_;
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> met_;
};

}  // namespace analytics::sqlite
