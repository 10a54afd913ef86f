#pragma once

#include <span>
#include <string_view>

namespace analytics {

/// Return names that occur only in User-Agents of bots, in lower case: anywhere in the text, as a
/// whole word, or at its start. They supplement uap-core's spiders and the general rules of
/// BotRules.
[[nodiscard]] std::span<const std::string_view> bot_names_anywhere();
[[nodiscard]] std::span<const std::string_view> bot_names_as_words();
[[nodiscard]] std::span<const std::string_view> bot_names_at_start();

}  // namespace analytics
