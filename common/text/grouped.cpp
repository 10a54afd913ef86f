#include "common/text/grouped.h"

namespace analytics {

std::string grouped(std::int64_t number) {
  auto digits = std::to_string(number);
  const std::ptrdiff_t first = number < 0 ? 1 : 0;
  for (auto at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > first; at -= 3) {
    digits.insert(static_cast<std::size_t>(at), ",");
  }
  return digits;
}

std::string time_ago(std::chrono::seconds time) {
  using namespace std::chrono;
  const auto ago = [](std::int64_t count, const char* unit) {
    return grouped(count) + " " + unit + (count == 1 ? "" : "s") + " ago";
  };
  if (time < minutes(2)) return "now";
  if (time < hours(2)) return ago(floor<minutes>(time).count(), "minute");
  if (time < hours(48)) return ago(floor<hours>(time).count(), "hour");
  return ago(floor<days>(time).count(), "day");
}

}  // namespace analytics
