#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace analytics {

/// A language as a number for storage: the letters of its code, 5 bits each; 0 if unknown.
using LanguageNumber = std::uint16_t;

/// Returns the language of a tag such as "de", "de-AT" or "fil-PH". Only the part of the tag before
/// "-" or "_" counts. Returns 0 unless the language is Filipino or has a two-letter code in ISO
/// 639, so that a rare language does not identify a visitor.
[[nodiscard]] LanguageNumber parse_language(std::string_view tag);

/// Returns the first language of an Accept-Language header; 0 in the same cases as
/// parse_language().
[[nodiscard]] LanguageNumber first_language(std::string_view accept_language);

/// Returns the code of a LanguageNumber, such as "de"; empty for 0 and for an invalid number.
[[nodiscard]] std::string language_code(std::int64_t number);

}  // namespace analytics
