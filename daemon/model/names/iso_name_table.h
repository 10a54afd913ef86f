#pragma once

#include <span>
#include <string_view>

namespace analytics {

struct IsoName {
  /// ISO code, in upper case for a country or subdivision and in lower case for a language.
  std::string_view code;
  std::string_view name;
};

/// Returns the ISO codes of countries, subdivisions and languages with their English names, sorted
/// by code. make_iso_names.cpp generates the table.
[[nodiscard]] std::span<const IsoName> iso_name_table();

}  // namespace analytics
