#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace analytics::cli {

/// A country's name as country_key() writes it, and its code of ISO 3166-1.
struct CountryName {
  std::string_view name;
  std::string_view code;
};

/// Returns all that is known, in order of the names; several may be of one country. Made by the
/// build.
[[nodiscard]] std::span<const CountryName> country_name_table();

/// Returns how names are compared: their words in small letters, without accents, in order, so that
/// "Korea, Republic of" is "Republic of Korea".
[[nodiscard]] std::string country_key(std::string_view name);

/// Returns the code of a country by its English name, or of what is a code already; nullopt: it is
/// neither.
[[nodiscard]] std::optional<std::string> country_code(std::string_view text);

}  // namespace analytics::cli
