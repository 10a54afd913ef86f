#pragma once

#include <span>
#include <string_view>

namespace analytics {

/// Names in User-Agents that only bots use; lower case. They supplement uap-core's list of spiders
/// and the general rules of BotRules.
[[nodiscard]] std::span<const std::string_view> bot_names_anywhere();
[[nodiscard]] std::span<const std::string_view> bot_names_as_words();
[[nodiscard]] std::span<const std::string_view> bot_names_at_start();

}  // namespace analytics
