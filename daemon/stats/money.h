#pragma once

#include <string>

#include "daemon/stats/formulas.h"

namespace analytics {

/// An amount as English readers expect it: "€1,234.50", "¥1,235", "SEK 10.00", with as many
/// decimals as ISO 4217 gives the currency.
[[nodiscard]] std::string long_text(const Money& money);

/// The same in few characters: "€1.2K", "$10.0", "€166.7M". Always one decimal, as in Plausible.
[[nodiscard]] std::string short_text(const Money& money);

}  // namespace analytics
