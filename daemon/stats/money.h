#pragma once

#include <string>

#include "daemon/stats/formulas.h"

namespace analytics {

/// Returns the amount in full, for English readers: "€1,234.50", "¥1,235", "SEK 10.00". It has as
/// many decimals as ISO 4217 defines for the currency.
[[nodiscard]] std::string long_text(const Money& money);

/// Returns the amount in few characters: "€1.2K", "$10.0", "€166.7M". It always has one decimal, as
/// in Plausible.
[[nodiscard]] std::string short_text(const Money& money);

}  // namespace analytics
