#include "cli/commands/stats_query.h"

#include <algorithm>
#include <optional>

#include <nlohmann/json.hpp>

#include "cli/commands/provisioning.h"
#include "cli/commands/stats_words.h"
#include "common/local_time.h"
#include "common/text.h"

namespace analytics::cli {
namespace {

using nlohmann::ordered_json;
using std::chrono::days;
using std::chrono::months;
using std::chrono::year_month_day;

ordered_json two_days(Days first, Days last) {
  return ordered_json::array({format_day(first), format_day(last)});
}

std::optional<ordered_json> parse_two_days(std::string_view text) {
  const auto comma = text.find(',');
  if (comma == std::string_view::npos) return std::nullopt;
  const auto first = parse_day(trim(text.substr(0, comma)));
  const auto last = parse_day(trim(text.substr(comma + 1)));
  return first && last ? std::optional(two_days(*first, *last)) : std::nullopt;
}

std::optional<std::int64_t> count_before(std::string_view text, std::string_view unit) {
  if (!text.ends_with(unit)) return std::nullopt;
  return parse_int(text.substr(0, text.size() - unit.size()));
}

/// The days of a period that is told from `day` instead of from today.
std::optional<ordered_json> period_of_day(std::string_view period, Days day) {
  const year_month_day date(day);
  const auto month = date.year() / date.month();
  if (period == "day") return two_days(day, day);
  if (period == "month") return two_days(Days(month / 1), Days(month / std::chrono::last));
  if (period == "year") return two_days(Days(date.year() / 1 / 1), Days(date.year() / 12 / 31));
  if (const auto count = count_before(period, "mo"); count && *count > 0) {
    const auto first = month - months(static_cast<int>(std::min<std::int64_t>(*count, 100)));
    return two_days(Days(first / 1), Days((month - months(1)) / std::chrono::last));
  }
  if (const auto count = count_before(period, "d"); count && *count > 0) {
    return two_days(day - days(std::min<std::int64_t>(*count, 5'000)), day - days(1));
  }
  return std::nullopt;
}

/// A pattern in which `*` stands for anything, as a regular expression in RE2's syntax.
std::string regex_of(std::string_view pattern) {
  constexpr std::string_view kSpecial = "\\.+?()[]{}|^$";
  std::string regex = "^";
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] == '*') {
      if (i == 0 || pattern[i - 1] != '*') regex += ".*";
      continue;
    }
    if (kSpecial.find(pattern[i]) != std::string_view::npos) regex += '\\';
    regex += pattern[i];
  }
  return regex + "$";
}

/// The values between the `|` that no backslash stands before.
std::vector<std::string> values_of(std::string_view text) {
  std::vector<std::string> values(1);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_escape =
        text[i] == '\\' && i + 1 < text.size() && (text[i + 1] == '|' || text[i + 1] == '\\');
    if (is_escape) {
      values.back() += text[++i];
    } else if (text[i] == '|') {
      values.emplace_back();
    } else {
      values.back() += text[i];
    }
  }
  for (auto& value : values) value = std::string(trim(value));
  return values;
}

}  // namespace

Outcome<ordered_json> date_range_of(const StatsOptions& options) {
  const auto period = options.period.empty() ? "30d" : options.period;
  if (period == "custom" || period.find(',') != std::string::npos) {
    const auto range = parse_two_days(period == "custom" ? options.date : period);
    if (range && (period == "custom" || options.date.empty())) return *range;
    return give_up(ExitCode::kUsage, "a custom period is two days, such as 2026-01-01,2026-01-31",
                   "usage");
  }
  if (options.date.empty()) return ordered_json(period);
  const auto day = parse_day(trim(options.date));
  if (!day) return give_up(ExitCode::kUsage, "--date is a day, such as 2026-01-31", "usage");
  const auto range = period_of_day(period, *day);
  if (range) return *range;
  return give_up(ExitCode::kUsage, "--date has no meaning with --period " + period, "usage");
}

Outcome<ordered_json> filters_of(const std::vector<std::string>& filters) {
  auto all = ordered_json::array();
  for (const auto& filter : filters) {
    const auto sign = std::min(filter.find("=="), filter.find("!="));
    if (sign == std::string::npos) {
      return give_up(ExitCode::kUsage, "--filter " + filter + " lacks == or !=", "usage");
    }
    const auto property = property_of(std::string(trim(filter.substr(0, sign))));
    auto values = values_of(trim(std::string_view(filter).substr(sign + 2)));
    const bool has_pattern = property != "event:goal" &&
                             std::any_of(values.begin(), values.end(), [](const auto& value) {
                               return value.find('*') != std::string::npos;
                             });
    if (has_pattern) {
      for (auto& value : values) value = regex_of(value);
    }
    const std::string op = has_pattern ? "matches" : "is";
    all.push_back({filter[sign] == '!' ? op + "_not" : op, property, values});
  }
  return all;
}

Outcome<ordered_json> comparison_of(const std::string& compare) {
  if (compare == "previous") return ordered_json{{"mode", "previous_period"}};
  if (compare == "year") return ordered_json{{"mode", "year_over_year"}};
  if (const auto range = parse_two_days(compare)) {
    return ordered_json{{"mode", "custom"}, {"date_range", *range}};
  }
  return give_up(ExitCode::kUsage, "--compare is previous, year, or two days FROM,TO", "usage");
}

}  // namespace analytics::cli
