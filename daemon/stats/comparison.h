#pragma once

#include <string>

#include "daemon/model/query.h"

namespace analytics {

/// What a range is compared with.
struct Comparison {
  enum class Mode {
    kPreviousPeriod,  ///< As many days just before it.
    kYearOverYear,    ///< The same days of the year before.
    kCustom,
  };
  Mode mode = Mode::kPreviousPeriod;
  /// Shifted by a few days, so that it begins with the same day of the week.
  bool match_day_of_week = false;
  TimeRange custom{};  ///< With kCustom.
  /// A range that is not over is compared with the other up to the same day and time of day.
  bool same_part = false;
  /// With kPreviousPeriod and `same_part`: the range is a calendar month (1) or year (12), which
  /// is compared with the one before. 0: with as many days.
  std::chrono::months calendar{0};
};

/// Returns the range to compare with. Of a range of whole days that goes on beyond today, only the
/// days up to today count; what is no whole days is compared with as many seconds.
[[nodiscard]] TimeRange compared_range(const Comparison& comparison, const TimeRange& range,
                                       const std::string& zone, UnixSeconds now);

}  // namespace analytics
