#pragma once

#include <string>
#include <string_view>

#include "daemon/stats/formulas.h"

/// Formats values for people on a page, and for programs in CSV.
namespace analytics::share {

/// Returns the value as a number, such as for the length of a bar. Money is in units of its
/// currency, so that €12.50 is 12.5. Returns 0 if there is no value, or if it is money in several
/// currencies.
[[nodiscard]] double number_of(const Value& value);
/// Returns the value as a number; if it is money, only its amount in `currency`, which may be 0.
[[nodiscard]] double number_of(const Value& value, std::string_view currency);

/// Returns the value for a page: "1,204", "57.5%", "1m 23s", "€12.50"; "–" if there is no value.
[[nodiscard]] std::string text_of(Metric metric, const Value& value);

/// Returns a change for a page: "+12%", "+3 points"; empty if it is unknown. A decrease begins with
/// the minus sign U+2212, not with a hyphen.
[[nodiscard]] std::string change_text(Metric metric, const Value& change);

/// Returns the value for CSV: "1204.5", "12.5 EUR"; empty if there is no value.
[[nodiscard]] std::string csv_text(const Value& value);

}  // namespace analytics::share
