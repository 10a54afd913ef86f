#include "daemon/model/names/language.h"

#include "common/text/text.h"
#include "daemon/model/names/iso_name.h"

namespace analytics {
namespace {

constexpr unsigned kLetterBits = 5;
constexpr std::int64_t kMaxLetters = 3;

}  // namespace

LanguageNumber parse_language(std::string_view tag) {
  const auto code = ascii_lower(tag.substr(0, tag.find_first_of("-_")));
  const bool is_short = code.size() == 2 || code.size() == 3;
  if (!is_short || !has_iso_name(code)) return 0;
  std::uint32_t number = 0;
  for (const char letter : code) {
    number = (number << kLetterBits) + static_cast<std::uint32_t>(letter - 'a' + 1);
  }
  return static_cast<LanguageNumber>(number);
}

LanguageNumber first_language(std::string_view accept_language) {
  return parse_language(trim(accept_language.substr(0, accept_language.find_first_of(",;"))));
}

std::string language_code(std::int64_t number) {
  if (number <= 0 || number >> (kMaxLetters * kLetterBits) != 0) return {};
  std::string code;
  for (; number > 0; number >>= kLetterBits) {
    code.insert(code.begin(), static_cast<char>('a' - 1 + (number & 31)));
  }
  return has_iso_name(code) ? code : std::string();
}

}  // namespace analytics
