#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace analytics {

/// Daily totals: the sums over the events of a day that share one value of a dimension.
struct DaySums {
  std::int64_t visitors = 0;
  std::int64_t visits = 0;
  std::int64_t pageviews = 0;
  std::int64_t events = 0;
  std::int64_t bounces = 0;
  std::int64_t seconds = 0;  ///< Total duration of the visits.
  bool operator==(const DaySums&) const = default;
  constexpr DaySums& operator+=(const DaySums& other);
  constexpr DaySums& operator-=(const DaySums& other);
};

struct DaySumField {
  std::string_view name;  ///< Name of the sum on the wire.
  std::int64_t DaySums::*sum;
};
/// All members of DaySums. They are stored in this order: never change it.
inline constexpr std::array kDaySumFields = {
    DaySumField{"visitors", &DaySums::visitors},   DaySumField{"visits", &DaySums::visits},
    DaySumField{"pageviews", &DaySums::pageviews}, DaySumField{"events", &DaySums::events},
    DaySumField{"bounces", &DaySums::bounces},     DaySumField{"seconds", &DaySums::seconds}};

constexpr DaySums& DaySums::operator+=(const DaySums& other) {
  for (const auto& field : kDaySumFields) this->*field.sum += other.*field.sum;
  return *this;
}

constexpr DaySums& DaySums::operator-=(const DaySums& other) {
  for (const auto& field : kDaySumFields) this->*field.sum -= other.*field.sum;
  return *this;
}

/// Name that stands for "no dimension", on the wire and in storage: its totals are sums over all
/// events of a day.
inline constexpr std::string_view kTotalDimension = "total";

}  // namespace analytics
