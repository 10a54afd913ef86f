#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "daemon/http/message.h"

/// Checks the framing of a request (its head and chunk lines) strictly, because a parser that
/// tolerates odd framing allows request smuggling (RFC 9112, section 11.2).
namespace analytics::http::framing {

/// Limits of a request's head.
struct Limits {
  std::size_t request_line = 8'192;  ///< Maximum size of the request line, in bytes.
  std::size_t head = 16'384;         ///< Maximum size of all header fields, in bytes.
  std::size_t fields = 100;          ///< Maximum number of header fields.
};

/// Position of a request's head in the received bytes, or the reason to refuse it.
struct HeadScan {
  /// Bytes of empty lines before the request line, which RFC 9112, section 2.2, allows.
  std::size_t skip = 0;
  /// Size of the head including its final blank line, not counting `skip`; 0 while incomplete.
  std::size_t end = 0;
  /// HTTP status to refuse with, for a bare line feed or a head that is too large; 0 if the
  /// request is not refused.
  int status = 0;
};
/// Searches the received bytes for the end of a request's head. Pure.
[[nodiscard]] HeadScan scan_head(std::string_view bytes, const Limits& limits);

/// Parses a request's head, which ends with its blank line; the views in `head` point into `block`.
/// Returns 0, or the HTTP status to refuse with. After a refusal the connection must close; `head`
/// then contains what was parsed before the error.
[[nodiscard]] int parse_head(std::string_view block, const Limits& limits, Head& head);

/// Checks the raw bytes of a chunked request body as they arrive. Chunk lines may have at most 256
/// bytes, and every line must end with CRLF. Trailer fields are checked and then ignored.
class ChunkGate {
 public:
  /// Maximum size of the trailer section, in bytes, and maximum number of its fields. Both are the
  /// same as the defaults for the header fields (Limits).
  static constexpr std::size_t kMaxTrailer = 16'384;
  static constexpr std::size_t kMaxTrailerFields = 100;

  /// Checks the next bytes of the body. Returns false if the request must be refused with 400.
  /// Ignores bytes after the end of the body.
  [[nodiscard]] bool accept(std::string_view bytes);
  [[nodiscard]] bool done() const { return state_ == State::kDone; }
  /// Returns the number of bytes accepted so far, including chunk lines.
  [[nodiscard]] std::uint64_t raw_bytes() const { return raw_; }
  /// Returns the sum of the chunk sizes so far; the last chunk may still be arriving.
  [[nodiscard]] std::uint64_t data_bytes() const { return data_; }
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
    kTrailer,  ///< In the trailer fields after the last chunk.
    kDone
  };
  bool step(char c);
  bool step_trailer(char c);

  State state_ = State::kSize;
  std::size_t line_ = 0;    ///< Number of bytes of the current chunk line so far.
  std::uint64_t left_ = 0;  ///< Number of bytes of the current chunk that have not arrived.
  std::uint64_t raw_ = 0;
  std::uint64_t data_ = 0;
  bool has_digit_ = false;
  std::string trailer_;  ///< Trailer line that is being read.
  std::size_t trailer_bytes_ = 0;
  std::size_t trailer_fields_ = 0;
};

}  // namespace analytics::http::framing
