#pragma once

#include <string>
#include <string_view>

namespace analytics {

/// Returns the English name of a country or of a subdivision, by its code of ISO 3166-1 ("DE") or
/// ISO 3166-2 ("DE-BE"), as Debian's iso-codes has it; the code itself where there is none.
[[nodiscard]] std::string place_name(std::string_view code);

}  // namespace analytics
