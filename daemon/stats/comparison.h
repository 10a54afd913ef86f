#pragma once

#include <string>

#include "daemon/model/query.h"

namespace analytics {

/// Defines the range that another range is compared with.
struct Comparison {
  enum class Mode {
    kPreviousPeriod,  ///< The same number of days, just before the range.
    kYearOverYear,    ///< The same days of the previous year.
    kCustom,          ///< The range `custom`.
  };
  Mode mode = Mode::kPreviousPeriod;
  /// If true, shifts the earlier range by a few days so that it begins on the same weekday.
  bool match_day_of_week = false;
  TimeRange custom{};  ///< Range to compare with if mode is kCustom.
  /// If true, a range that is not over yet is compared only with the same part of the earlier
  /// range: up to the same day and time of day.
  bool same_part = false;
  /// Number of months by which kPreviousPeriod goes back: 1 for a range that is a calendar month,
  /// 12 for a calendar year; 0 to go back by the range's number of days.
  std::chrono::months calendar{0};
};

/// Returns the range to compare `range` with. If `range` consists of whole days, its days after
/// today do not count. Any other range is compared with a range of the same length.
[[nodiscard]] TimeRange compared_range(const Comparison& comparison, const TimeRange& range,
                                       const std::string& zone, UnixSeconds now);

}  // namespace analytics
