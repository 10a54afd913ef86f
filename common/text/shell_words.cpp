#include "common/text/shell_words.h"

#include <algorithm>

#include "common/text/text.h"

namespace analytics {

std::string shell_words(const std::vector<std::string>& words) {
  constexpr std::string_view kPlain = "%+,-./:=@_";
  std::string text;
  for (const auto& word : words) {
    const bool plain = !word.empty() && std::all_of(word.begin(), word.end(), [&](char c) {
      return (c >= '0' && c <= '9') || (ascii_lower(c) >= 'a' && ascii_lower(c) <= 'z') ||
             kPlain.find(c) != std::string_view::npos;
    });
    if (!text.empty()) text += ' ';
    if (plain) {
      text += word;
      continue;
    }
    text += '\'';
    for (const char c : word) text += c == '\'' ? "'\\''" : std::string(1, c);
    text += '\'';
  }
  return text;
}

}  // namespace analytics
