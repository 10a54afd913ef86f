#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace analytics::cli {

/// A country's name as country_key() writes it, and its ISO 3166-1 code.
struct CountryName {
  std::string_view name;
  std::string_view code;
};

/// Returns all known names, sorted by name; a country may have several. The build generates this
/// table.
[[nodiscard]] std::span<const CountryName> country_name_table();

/// Returns the form in which names are compared: lower-case words without accents, in alphabetical
/// order. "Korea, Republic of" and "Republic of Korea" have the same key.
[[nodiscard]] std::string country_key(std::string_view name);

/// Returns the code of a country by its English name. A text of two characters is returned in upper
/// case, as a code. nullopt for an unknown name.
[[nodiscard]] std::optional<std::string> country_code(std::string_view text);

}  // namespace analytics::cli
