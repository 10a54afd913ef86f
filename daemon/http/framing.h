#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "daemon/http/message.h"

/// Checks the raw bytes of a request before the parser does, because a parser that tolerates odd
/// framing allows request smuggling (RFC 9112, section 11.2).
namespace analytics::http::framing {

struct Limits {
  std::size_t request_line = 8'192;  ///< Bytes.
  std::size_t head = 16'384;         ///< Bytes, request line not counted.
  std::size_t fields = 100;
};

/// The structure found at the start of the received bytes.
struct HeadScan {
  /// Bytes of empty lines before the request line, which are allowed (RFC 9112, 2.2).
  std::size_t skip = 0;
  /// Size of the head with its final blank line, without `skip`; 0: incomplete.
  std::size_t end = 0;
  /// Status to refuse with, for a bare line feed or a head that is too large; 0: none.
  int status = 0;
};
[[nodiscard]] HeadScan scan_head(std::string_view bytes, const Limits& limits);

/// Parses `block`, which ends with the blank line; the views in `head` point into it. Returns 0, or
/// the status to refuse with. After a refusal the connection must close, and `head` contains what
/// was parsed so far.
[[nodiscard]] int parse_head(std::string_view block, const Limits& limits, Head& head);

/// Checks the raw bytes of a chunked body as they arrive. Chunk lines have at most 256 bytes, and
/// every line ends with CRLF. Trailer fields are checked and otherwise ignored.
class ChunkGate {
 public:
  /// Limits of the trailer section, equal to the default limits of a head.
  static constexpr std::size_t kMaxTrailer = 16'384;  ///< Bytes.
  static constexpr std::size_t kMaxTrailerFields = 100;

  /// Returns false if the request must be refused with 400. Ignores bytes after the end of the
  /// body.
  [[nodiscard]] bool accept(std::string_view bytes);
  [[nodiscard]] bool done() const { return state_ == State::kDone; }
  [[nodiscard]] std::uint64_t raw_bytes() const { return raw_; }    ///< Accepted so far.
  [[nodiscard]] std::uint64_t data_bytes() const { return data_; }  ///< Announced so far.
  /// Returns the size of the trailer section, including its final empty line.
  [[nodiscard]] std::size_t trailer_bytes() const { return trailer_bytes_; }

 private:
  enum class State {
    kSize,
    kExtension,
    kSizeEnd,
    kData,
    kDataCr,
    kDataLf,
    kTrailer,  ///< Fields after the last chunk: checked like a head's, then ignored.
    kDone
  };
  bool step(char c);
  bool step_trailer(char c);

  State state_ = State::kSize;
  std::size_t line_ = 0;    ///< Bytes of the chunk line so far.
  std::uint64_t left_ = 0;  ///< Bytes left in the current chunk.
  std::uint64_t raw_ = 0;
  std::uint64_t data_ = 0;
  bool has_digit_ = false;
  std::string trailer_;  ///< Trailer line that is being read.
  std::size_t trailer_bytes_ = 0;
  std::size_t trailer_fields_ = 0;
};

}  // namespace analytics::http::framing
