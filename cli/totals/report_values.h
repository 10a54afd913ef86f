#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "common/local_time.h"

/// Cells of reports, and what they say.
namespace analytics::cli {

/// More is nobody's count.
inline constexpr double kMostCounted = 1e12;

inline constexpr std::size_t kDayDigits = 8;  ///< 20261124
[[nodiscard]] bool are_digits(std::string_view text);

/// "20261124", with or without an hour behind it.
[[nodiscard]] std::optional<Days> parse_compact_day(std::string_view text);

/// A count, or a mean; 0 of an empty cell. "1,234" is none: nobody knows whether that comma is
/// decimal.
[[nodiscard]] std::optional<double> number_of(std::string_view cell);

/// "27%" or 0.27
[[nodiscard]] std::optional<double> rate_of(std::string_view cell);

/// The cell without the quote that Matomo puts before what a spreadsheet might take for a formula.
[[nodiscard]] std::string_view without_guard(std::string_view cell);

/// The value of the dimension as the service stores it; empty: it is not known.
[[nodiscard]] std::string stored_value(std::string_view dimension, std::string_view cell);

/// Returns the source of visits that came from a page: its host, as live events from a site that is
/// not known by a name have it.
[[nodiscard]] std::string source_of_url(std::string_view url);

/// True for "US-CA", and not for the name of a region.
[[nodiscard]] bool is_region_code(std::string_view text);

}  // namespace analytics::cli
