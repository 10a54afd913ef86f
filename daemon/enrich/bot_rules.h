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
    bool is_library = false;  ///< True for an HTTP library, to which uap-core's rules for spiders
                              ///< do not apply either.
    std::string reason;       ///< Readable reason; empty if the sender is not a bot.
  };
  [[nodiscard]] Verdict judge(std::string_view user_agent) const;

 private:
  RegexList words_;  ///< "bot", "crawler", "spider" and similar words.
  /// Bot words that are also phone models; they count with a version only.
  RegexList model_words_;
  RegexList library_words_;  ///< Bot words that count in the User-Agent of a library.
  RegexList addresses_;      ///< URLs and mail addresses, which bots give for complaints.
  RegexList bare_;           ///< Words that count only if no device or system is named.
};

/// Returns the text without the model names of phones, some of which are called "Bot" or "Spider".
/// Pure.
[[nodiscard]] std::string without_phone_model(std::string_view user_agent);

}  // namespace analytics
