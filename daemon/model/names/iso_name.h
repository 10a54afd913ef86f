#pragma once

#include <string>
#include <string_view>

#include "common/wire/dimension.h"

namespace analytics {

/// Returns the English name from Debian's iso-codes of a country (ISO 3166-1 code, "DE"), a
/// subdivision (ISO 3166-2 code, "DE-BE") or a language (ISO 639 code, "de"). Returns the code
/// itself if it has no name.
[[nodiscard]] std::string iso_name(std::string_view code);

/// Returns true if the field's values are codes that iso_name() accepts.
[[nodiscard]] constexpr bool is_iso_code(Field field) {
  return field == Field::kCountry || field == Field::kRegion || field == Field::kLanguage;
}

/// Returns true if iso_name() knows a name for the code.
[[nodiscard]] bool has_iso_name(std::string_view code);

}  // namespace analytics
