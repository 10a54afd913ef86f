#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "common/run/result.h"

namespace analytics {

/// Converts bytes in any encoding to UTF-8, piece by piece; a piece may end inside a character.
/// Invalid bytes become U+FFFD.
class Decoder {
 public:
  /// Creates a decoder. `encoding` is a name that iconv(3) knows. Errors: kInvalidParameter.
  [[nodiscard]] static Result<Decoder> make(const std::string& encoding);
  /// Returns true if the text begins with a UTF-16 byte order mark.
  [[nodiscard]] static bool is_utf16(std::string_view head);

  /// Decodes the bytes and appends the text to `into`. Keeps an incomplete character at the end for
  /// the next call.
  void decode(std::string_view bytes, std::string& into);
  /// Ends the text. An incomplete character at the end becomes U+FFFD.
  void finish(std::string& into);

 private:
  struct Close {
    void operator()(void* handle) const;
  };
  Decoder(void* handle, std::size_t unit) : handle_(handle), unit_(unit) {}

  std::unique_ptr<void, Close> handle_;
  std::size_t unit_;  ///< Size of the encoding's code unit in bytes.
  std::string kept_;  ///< Bytes of an incomplete character at the end of the last piece.
};

}  // namespace analytics
