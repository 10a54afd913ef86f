#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace analytics {

/// A language as a number, for storing: the letters of its code, 5 bits each. 0: unknown.
using LanguageNumber = std::uint16_t;

/// Returns the language of a tag such as "de", "de-AT" or "fil-PH" by its first part, which is all
/// that is kept of it; 0 if it is none of the languages that have a code of two letters in ISO 639,
/// nor Filipino: only these are counted, so that nobody is told apart by a rare one.
[[nodiscard]] LanguageNumber parse_language(std::string_view tag);

/// Returns the language that an Accept-Language header names first.
[[nodiscard]] LanguageNumber first_language(std::string_view accept_language);

/// Returns the code, such as "de"; empty for 0 and for a number that stands for none.
[[nodiscard]] std::string language_code(std::int64_t number);

}  // namespace analytics
