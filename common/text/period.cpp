#include "common/text/period.h"

#include "common/text/text.h"

namespace analytics {
namespace {

using std::chrono::days;
using std::chrono::months;
using std::chrono::year_month_day;

constexpr std::int64_t kMaxDays = 5'000;
constexpr std::int64_t kMaxMonths = 100;

std::optional<std::int64_t> count_before(std::string_view text, std::string_view unit,
                                         std::int64_t most) {
  if (!text.ends_with(unit)) return std::nullopt;
  const auto digits = text.substr(0, text.size() - unit.size());
  const auto count = digits.empty() || digits[0] == '+' ? std::nullopt : parse_int(digits);
  return count && *count >= 1 && *count <= most ? count : std::nullopt;
}

}  // namespace

std::optional<Period> days_of(std::string_view word, Days today) {
  const year_month_day date(today);
  const auto month = date.year() / date.month();
  if (word == "day") return Period{today, today};
  if (word == "month") return Period{Days(month / 1), Days(month / std::chrono::last)};
  if (word == "year") {
    return Period{Days(date.year() / std::chrono::January / 1),
                  Days(date.year() / std::chrono::December / 31)};
  }
  if (word == "all") return Period{Days(), today};
  if (const auto count = count_before(word, "d", kMaxDays)) {
    return Period{today - days(*count), today - days(1)};
  }
  if (const auto count = count_before(word, "mo", kMaxMonths)) {
    return Period{Days((month - months(*count)) / 1),
                  Days((month - months(1)) / std::chrono::last)};
  }
  return std::nullopt;
}

}  // namespace analytics
