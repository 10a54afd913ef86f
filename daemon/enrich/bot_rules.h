#pragma once

#include <string>
#include <string_view>

#include "daemon/enrich/regex_list.h"

namespace analytics {

/// Recognises by its User-Agent a program that no person looks through: crawlers, monitors,
/// previews, scanners. Libraries that speak HTTP for programs (curl, okhttp) are none, because
/// server-side tracking sends events with them. Immutable; any thread.
class BotRules {
 public:
  BotRules();

  struct Verdict {
    bool is_library = false;  ///< Never a spider of uap-core either.
    std::string reason;       ///< For people; empty: no bot.
  };
  [[nodiscard]] Verdict judge(std::string_view user_agent) const;

 private:
  RegexList words_;          ///< "bot", "crawler", "spider" and the like.
  RegexList model_words_;    ///< Bot words that are also phone models: they need a version.
  RegexList library_words_;  ///< Bot words that count after a library's name.
  RegexList addresses_;      ///< A URL or a mail address to complain to.
  RegexList bare_;           ///< Words that count only when no device or system is named.
};

/// The text without the model names of phones, some of which are called "Bot" or "Spider". Pure.
[[nodiscard]] std::string without_phone_model(std::string_view user_agent);

}  // namespace analytics
