#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace analytics {

/// An exact amount of money, in millionths of the currency's unit.
struct Revenue {
  std::int64_t micros = 0;
  std::string currency;  ///< ISO 4217 code in upper case.
};

inline constexpr std::int64_t kMicrosOfUnit = 1'000'000;
/// Returns an amount in units of its currency, such as 12.5 for €12.50. For display only: sums are
/// computed in micros to stay exact.
[[nodiscard]] inline double units_of(std::int64_t micros) {
  return static_cast<double>(micros) / static_cast<double>(kMicrosOfUnit);
}

/// Parses an amount such as "12", "-1.50" or "0.000001", without an exponent and at most
/// 9,000,000,000,000. Ignores all decimals after the sixth.
[[nodiscard]] std::optional<std::int64_t> parse_micros(std::string_view decimal);
[[nodiscard]] std::string format_micros(std::int64_t micros);

/// Returns true if `code` is an active ISO 4217 currency code.
[[nodiscard]] bool is_currency(std::string_view code);

}  // namespace analytics
