#pragma once

#include <string>
#include <string_view>

#include "daemon/stats/formulas.h"

/// Values as a person reads them on a page, and as a program does.
namespace analytics::share {

/// Returns what a bar is as long as: an amount of one currency in its unit, 0 where there is
/// nothing.
[[nodiscard]] double number_of(const Value& value);
/// The same where amounts may be of several currencies: returns that of this one.
[[nodiscard]] double number_of(const Value& value, std::string_view currency);

/// "1,204", "57.5%", "1m 23s", "€12.50"; "–" where there is nothing.
[[nodiscard]] std::string text_of(Metric metric, const Value& value);

/// "+12%", with a true minus; "+3 points".
[[nodiscard]] std::string change_text(Metric metric, const Value& change);

/// For CSV: "1204.5", "12.5 EUR"; empty if there is none.
[[nodiscard]] std::string csv_text(const Value& value);

}  // namespace analytics::share
