#include "cli/stats/stats_query.h"

#include <algorithm>
#include <optional>

#include <nlohmann/json.hpp>

#include "cli/frame/requests.h"
#include "cli/stats/stats_words.h"
#include "common/text/local_time.h"
#include "common/text/period.h"
#include "common/text/text.h"

namespace analytics::cli {
namespace {

using nlohmann::ordered_json;

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
  const auto range = period == "all" ? std::nullopt : days_of(period, *day);
  if (range) return two_days(range->first, range->last);
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
    const auto values = split_values(trim(std::string_view(filter).substr(sign + 2)));
    const bool has_pattern = property != "event:goal" &&
                             std::any_of(values.begin(), values.end(), [](const auto& value) {
                               return value.find('*') != std::string::npos;
                             });
    const std::string op = has_pattern ? "matches_wildcard" : "is";
    const bool is_negated = filter[sign] == '!';
    // The operator is_not would accept an event that matches this goal and another one.
    if (is_negated && property == "event:goal") {
      all.push_back({"has_not_done", {op, property, values}});
      continue;
    }
    all.push_back({is_negated ? op + "_not" : op, property, values});
  }
  return all;
}

Outcome<ordered_json> comparison_of(const std::string& compare) {
  const auto with = [](const char* mode) {
    return ordered_json{{"mode", mode}, {"same_part", true}};
  };
  if (compare == "previous") return with("previous_period");
  if (compare == "year") return with("year_over_year");
  if (const auto range = parse_two_days(compare)) {
    return ordered_json{{"mode", "custom"}, {"date_range", *range}};
  }
  return give_up(ExitCode::kUsage, "--compare is previous, year, or two days FROM,TO", "usage");
}

}  // namespace analytics::cli
