#pragma once

#include <string>
#include <string_view>

#include "common/dimension.h"

namespace analytics {

/// Returns the English name of a country or of a subdivision, by its code of ISO 3166-1 ("DE") or
/// ISO 3166-2 ("DE-BE"), or of a language by its code of ISO 639 ("de"), as Debian's iso-codes has
/// it; the code itself where there is none.
[[nodiscard]] std::string iso_name(std::string_view code);

/// True if the field's values are such codes.
[[nodiscard]] constexpr bool is_iso_code(Field field) {
  return field == Field::kCountry || field == Field::kRegion || field == Field::kLanguage;
}

/// True if there is a name.
[[nodiscard]] bool has_iso_name(std::string_view code);

}  // namespace analytics
