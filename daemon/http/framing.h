#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "daemon/http/message.h"

/// The gate before the parser: judges the raw bytes of a header block, because a parser that
/// tolerates odd framing lets requests be smuggled (RFC 9112, section 11.2).
namespace analytics::http::framing {

struct Limits {
  std::size_t request_line = 8'192;  ///< Bytes.
  std::size_t head = 16'384;         ///< Bytes, request line not counted.
  std::size_t fields = 100;
};

/// The structure found at the start of the received bytes.
struct HeadScan {
  std::size_t skip =
      0;  ///< Empty lines before the request line, which are allowed (RFC 9112, 2.2).
  std::size_t end =
      0;           ///< Size of the head with its final blank line, without `skip`; 0: incomplete.
  int status = 0;  ///< Refuse with it: a bare line feed, or too large before it is whole.
};
[[nodiscard]] HeadScan scan_head(std::string_view bytes, const Limits& limits);

/// Reads `block`, which ends with the blank line; the views of the head point into it. 0, or the
/// status to refuse with: the connection must close then, and `head` has what was read so far.
[[nodiscard]] int parse_head(std::string_view block, const Limits& limits, Head& head);

/// Judges the raw bytes of a chunked body as they come: chunk lines of at most 256 bytes, nothing
/// but CRLF as line ends, no trailers.
class ChunkGate {
 public:
  /// A trailer section may be this large, as a head with the default limits.
  static constexpr std::size_t kMaxTrailer = 16'384;  ///< Bytes.
  static constexpr std::size_t kMaxTrailerFields = 100;

  /// False: refuse with 400. Bytes behind the end of the body are not looked at.
  [[nodiscard]] bool accept(std::string_view bytes);
  [[nodiscard]] bool done() const { return state_ == State::kDone; }
  [[nodiscard]] std::uint64_t raw_bytes() const { return raw_; }    ///< Accepted so far.
  [[nodiscard]] std::uint64_t data_bytes() const { return data_; }  ///< Announced so far.
  /// Size of the trailer section, which includes its empty last line.
  [[nodiscard]] std::size_t trailer_bytes() const { return trailer_bytes_; }

 private:
  enum class State {
    kSize,
    kExtension,
    kSizeEnd,
    kData,
    kDataCr,
    kDataLf,
    kTrailer,  ///< Fields after the last chunk: judged like a head, and used for nothing.
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
  std::string trailer_;  ///< The line of the trailer that is being read.
  std::size_t trailer_bytes_ = 0;
  std::size_t trailer_fields_ = 0;
};

}  // namespace analytics::http::framing
