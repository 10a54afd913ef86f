#pragma once

#include <string>
#include <string_view>

#include "daemon/enrich/regex_list.h"

namespace analytics {

/// Recognises bots by their User-Agent: programs without a person, such as crawlers, monitors,
/// previews and scanners. HTTP libraries (curl, okhttp) do not count as bots, because server-side
/// tracking sends events with them. Immutable; any thread.
class BotRules {
 public:
  BotRules();

  struct Verdict {
    /// True for an HTTP library. The caller must then not apply uap-core's rules for spiders.
    bool is_library = false;
    std::string reason;  ///< Readable reason; empty if the sender is not a bot.
  };
  [[nodiscard]] Verdict judge(std::string_view user_agent) const;

 private:
  RegexList words_;  ///< "bot", "crawler", "spider" and similar words.
  /// Bot words that are also names of phones, and count only with a version: "bot/1.0".
  RegexList model_words_;
  RegexList library_words_;  ///< Words that make even an HTTP library a bot.
  RegexList addresses_;      ///< URLs and mail addresses, which bots give for complaints.
  RegexList bare_;           ///< Words that count only if no device or system is named.
};

/// Returns a User-Agent without the model names of phones, because some phones are called "Bot" or
/// "Spider". Pure.
[[nodiscard]] std::string without_phone_model(std::string_view user_agent);

}  // namespace analytics
