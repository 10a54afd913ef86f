#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "common/text/local_time.h"

/// Parses the cells of reports.
namespace analytics::cli {

/// Largest count that number_of() accepts.
inline constexpr double kMaxCounted = 1e12;

inline constexpr std::size_t kDayDigits = 8;  ///< Digits of a day such as "20261124".
[[nodiscard]] bool are_digits(std::string_view text);

/// Parses "20261124", with or without an hour after it.
[[nodiscard]] std::optional<Days> parse_compact_day(std::string_view text);

/// Parses a count or a mean; an empty cell is 0. Rejects "1,234" because the comma may be a decimal
/// comma.
[[nodiscard]] std::optional<double> number_of(std::string_view cell);

/// Parses a rate, "27%" or 0.27, as a number from 0 to 1.
[[nodiscard]] std::optional<double> rate_of(std::string_view cell);

/// Removes the quote that Matomo adds before a cell that a spreadsheet might read as a formula.
[[nodiscard]] std::string_view without_guard(std::string_view cell);

/// Returns the value of the dimension as analyticsd stores it; empty if the value is unknown.
[[nodiscard]] std::string stored_value(std::string_view dimension, std::string_view cell);

/// Returns the source of visits that came from a page: its host, as for live events from a site
/// that is not a known source.
[[nodiscard]] std::string source_of_url(std::string_view url);

/// Returns true for a code such as "US-CA", but not for the name of a region.
[[nodiscard]] bool is_region_code(std::string_view text);

}  // namespace analytics::cli
