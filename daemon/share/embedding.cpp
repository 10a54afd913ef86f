#include "daemon/share/embedding.h"

#include "common/text/text.h"

namespace analytics::share {

std::string read_background(std::string_view text) {
  if (text == "transparent") return "transparent";
  if (text.starts_with('#')) text.remove_prefix(1);
  const bool is_hex = text.find_first_not_of("0123456789abcdefABCDEF") == std::string_view::npos;
  if (!is_hex || (text.size() != 3 && text.size() != 6)) return {};
  return "#" + ascii_lower(text);
}

Embedding read_embedding(const Parameters& parameters) {
  Embedding embedding;
  for (const auto& [name, value] : parameters) {
    if (name == "embed") embedding.is_embedded = value == "true";
    if (name == "theme") embedding.theme = value == "light" || value == "dark" ? value : "";
    if (name == "background") embedding.background = read_background(value);
  }
  return embedding;
}

Parameters parameters_of(const Embedding& embedding) {
  Parameters parameters;
  if (embedding.is_embedded) parameters.emplace_back("embed", "true");
  if (!embedding.theme.empty()) parameters.emplace_back("theme", embedding.theme);
  if (!embedding.background.empty()) parameters.emplace_back("background", embedding.background);
  return parameters;
}

}  // namespace analytics::share
