#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace analytics::cli {

/// A country's name in the form that country_key() returns, and its ISO 3166-1 code.
struct CountryName {
  std::string_view name;
  std::string_view code;
};

/// Returns all known country names, sorted; a country may have several. The build generates the
/// table.
[[nodiscard]] std::span<const CountryName> country_name_table();

/// Returns a country's name in the form in which names are compared: its words in lower case,
/// without accents, sorted. "Korea, Republic of" and "Republic of Korea" have the same key.
[[nodiscard]] std::string country_key(std::string_view name);

/// Returns the ISO 3166-1 code of a country by its English name; nullopt if the name is unknown. A
/// text of two characters is already a code and is returned in upper case.
[[nodiscard]] std::optional<std::string> country_code(std::string_view text);

}  // namespace analytics::cli
