// country_key() has its own file, because the generator of country_name_table() uses it too.
#include <algorithm>
#include <cstdlib>
#include <vector>

#include <utf8proc.h>

#include "cli/replay/formats/country_code.h"
#include "common/text/text.h"

namespace analytics::cli {
namespace {

/// Returns the text in lower case and without accents; returns invalid UTF-8 unchanged.
std::string plain_letters(std::string_view text) {
  utf8proc_uint8_t* plain = nullptr;
  const auto size =
      utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                   static_cast<utf8proc_ssize_t>(text.size()), &plain,
                   static_cast<utf8proc_option_t>(UTF8PROC_COMPAT | UTF8PROC_DECOMPOSE |
                                                  UTF8PROC_STRIPMARK | UTF8PROC_CASEFOLD));
  if (size < 0) return std::string(text);
  std::string letters(plain, plain + size);
  std::free(plain);  // NOLINT: utf8proc allocates with malloc()
  return letters;
}

}  // namespace

std::string country_key(std::string_view name) {
  std::string letters;
  for (const char c : plain_letters(name)) {
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    if (is_letter) letters += c;
    // "U.S." is one word, and so is "d'Ivoire" with any kind of apostrophe.
    if (c == ' ' || c == '-' || c == '(' || c == ')' || c == ',' || c == '&') letters += ' ';
  }
  std::vector<std::string> words;
  for (const auto word : split(letters, ' ')) {
    const bool says_nothing = word.empty() || word == "the" || word == "of" || word == "and";
    if (!says_nothing) words.emplace_back(word == "saint" ? "st" : word);
  }
  std::sort(words.begin(), words.end());
  return join(words, " ");
}

}  // namespace analytics::cli
