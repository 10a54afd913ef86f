#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "common/io/decoder.h"
#include "common/run/result.h"

namespace analytics {

/// Finds the ends of records that are not lines.
class Framing {
 public:
  virtual ~Framing() = default;
  /// Reads the next bytes of the text. Returns how many of them belong to the current record;
  /// nullopt if the record continues after them.
  [[nodiscard]] virtual std::optional<std::size_t> find_end(std::string_view bytes) = 0;
};

/// Converts the text of a file into another text, piece by piece.
class Conversion {
 public:
  virtual ~Conversion() = default;
  /// Converts the next bytes of the text, a few hundred at most, and appends the result to `into`.
  /// Returns an empty text on success, else a description of the problem; no more calls follow a
  /// problem.
  [[nodiscard]] virtual std::string convert(std::string_view bytes, std::string& into) = 0;
  /// Ends the text, and appends the rest of the result. Returns the same as convert().
  [[nodiscard]] virtual std::string finish(std::string& into) = 0;
};

/// Reads a file or standard input as lines in UTF-8. The first bytes tell whether the input is
/// plain or compressed with gzip, zstd, bzip2 or xz; compressed data may consist of several
/// members. UTF-16 with a byte order mark is converted, and so is a text whose encoding is given.
/// Reads from a pipe the bytes that are available, and never waits for more than one line. Memory
/// is bounded by the longest line allowed.
class CompressedInput {
 public:
  struct Line {
    std::string text;          ///< The line without its line end; cut if too long.
    std::uint64_t offset = 0;  ///< Offset of the first byte in the unpacked UTF-8 text.
    std::uint64_t end = 0;     ///< Offset just past the last byte, excluding the line end.
    /// Number of the line in the text, counted from 1; for a record of several lines, its first
    /// line.
    std::uint64_t number = 0;
    bool too_long = false;
    bool is_ended = false;  ///< True if a line end follows; otherwise the line may still grow.
  };

  /// Behaviour at the end of a file.
  enum class AtEnd {
    kStop,
    /// Wait for more text until the file's name refers to another file or the file is truncated.
    kWait,
  };

  /// Reads up to `most` bytes; returns 0 at the end. Errors: any.
  using Reader = std::function<Result<std::size_t>(char* into, std::size_t most)>;
  /// Opens an input whose bytes `reader` supplies. `total`: number of these bytes. `name`: name of
  /// the input in messages. Errors: kInvalidParameter.
  [[nodiscard]] static Result<std::unique_ptr<CompressedInput>> open(
      std::string name, std::uint64_t total, Reader reader, std::size_t max_line,
      const std::string& encoding = {});

  /// Opens a file; "-" is standard input. `encoding` is a name that iconv(3) knows; if empty, the
  /// bytes are not converted. Errors: kNotFound, kInternal, kInvalidParameter.
  [[nodiscard]] static Result<std::unique_ptr<CompressedInput>> open(
      const std::filesystem::path& file, std::size_t max_line, AtEnd at_end = AtEnd::kStop,
      const std::string& encoding = {});
  ~CompressedInput();

  /// Returns the next line that is not blank, without its line end and cut at `max_line`. Does not
  /// consume the line, but waits for it.
  [[nodiscard]] std::string_view peek();
  /// Makes next() return the records that `framing` finds, instead of lines. A record includes all
  /// of its bytes, also separators.
  void set_framing(std::unique_ptr<Framing> framing) { framing_ = std::move(framing); }
  /// Makes next() return lines of the converted text, with offsets and line numbers in that text.
  /// REQUIRES: no line was returned yet.
  void set_conversion(std::unique_ptr<Conversion> conversion);
  /// Reads the next line. Returns false at the end, after cancel(), or if the rest cannot be read;
  /// error() then contains the reason.
  [[nodiscard]] bool next(Line& line);
  /// Returns true if next() can return a line or an error without waiting for the file to grow.
  [[nodiscard]] bool ready() const;
  /// Ends a waiting next() and all later ones. Any thread.
  void cancel();
  [[nodiscard]] const std::optional<Error>& error() const { return error_; }
  /// Returns true if the file was truncated while next() waited. An incomplete line before the cut
  /// is not returned.
  [[nodiscard]] bool was_truncated() const;

  /// Returns the number of bytes read from the file so far, before decompression. bytes_total()
  /// returns the file's size, or 0 if it is unknown.
  [[nodiscard]] std::uint64_t bytes_read() const;
  [[nodiscard]] std::uint64_t bytes_total() const { return total_; }
  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  class Source;
  [[nodiscard]] Status decode_from(const std::string& encoding);
  CompressedInput(std::string name, std::unique_ptr<Source> source, std::uint64_t total,
                  std::size_t max_line);
  bool fill();
  bool read_more(std::string& text);
  bool fill_converted();
  [[nodiscard]] std::optional<std::size_t> find_end();

  std::string name_;
  std::unique_ptr<Source> source_;
  std::uint64_t total_;
  std::size_t max_line_;
  std::string buffer_;
  std::size_t at_ = 0;                ///< Index in buffer_ of the first byte not yet returned.
  std::uint64_t offset_ = 0;          ///< Offset of buffer_[at_] in the text.
  std::uint64_t lines_ = 0;           ///< Number of line ends before offset_.
  std::unique_ptr<Framing> framing_;  ///< Null if records are lines.
  std::optional<Decoder> decoder_;    ///< Unset if the bytes are UTF-8 and need no decoding.
  std::unique_ptr<Conversion> conversion_;  ///< Null if the text is not converted.
  std::string raw_;                         ///< Text that `conversion_` has not converted yet.
  std::size_t raw_at_ = 0;
  bool raw_ended_ = false;
  bool has_begun_ = false;
  bool ended_ = false;
  std::optional<Error> error_;
};

}  // namespace analytics
