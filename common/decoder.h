#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "common/result.h"

namespace analytics {

/// Turns bytes in some encoding into UTF-8, a piece at a time, however characters are cut. What is
/// no character becomes U+FFFD.
class Decoder {
 public:
  /// `encoding` is a name that iconv(3) knows. Errors: kInvalidParameter.
  [[nodiscard]] static Result<Decoder> make(const std::string& encoding);
  /// True if a text that begins so says of itself that it is in UTF-16.
  [[nodiscard]] static bool is_utf16(std::string_view head);

  /// Appends what the bytes stand for to `into`; keeps the beginning of a character.
  void decode(std::string_view bytes, std::string& into);
  /// At the end: what was kept is no character.
  void finish(std::string& into);

 private:
  struct Close {
    void operator()(void* handle) const;
  };
  Decoder(void* handle, std::size_t unit) : handle_(handle), unit_(unit) {}

  std::unique_ptr<void, Close> handle_;
  std::size_t unit_;  ///< Bytes that make a character, or a part of one.
  std::string kept_;
};

}  // namespace analytics
