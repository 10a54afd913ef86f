#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "common/decoder.h"
#include "common/result.h"

namespace analytics {

/// Where records end that are no lines.
class Framing {
 public:
  virtual ~Framing() = default;
  /// Takes the bytes behind those of the calls before. Returns how many of them the record has
  /// that ends in them; nullopt if it goes on behind them all.
  [[nodiscard]] virtual std::optional<std::size_t> find_end(std::string_view bytes) = 0;
};

/// Turns the text of a file into another that stands for it, a piece at a time.
class Conversion {
 public:
  virtual ~Conversion() = default;
  /// Takes the bytes behind those of the calls before, a few hundred at most, and appends to
  /// `into`. Returns what is wrong with them, after which there are no more calls; empty: nothing.
  [[nodiscard]] virtual std::string convert(std::string_view bytes, std::string& into) = 0;
  /// At the end of the bytes.
  [[nodiscard]] virtual std::string finish(std::string& into) = 0;
};

/// Lines of a file or of standard input in UTF-8, plain or compressed with gzip, zstd, bzip2 or xz
/// (several members too), found by its first bytes. A text in UTF-16 that begins with its mark is
/// converted, and so is any in the encoding that is given. Takes what a pipe has and does not wait
/// for more than a line. Memory is bounded by the longest line allowed.
class CompressedInput {
 public:
  struct Line {
    std::string text;          ///< Without its line end; cut when too long.
    std::uint64_t offset = 0;  ///< Of its first byte, unpacked and in UTF-8.
    std::uint64_t end = 0;     ///< Behind its last byte: the same when its line end comes later.
    std::uint64_t number = 0;  ///< Of the line it begins in, from 1.
    bool too_long = false;
    bool is_ended = false;  ///< By a line end: else more of it may come.
  };

  /// Behaviour at the end of a file.
  enum class AtEnd {
    kStop,
    kWait,  ///< More will be appended, until another file has the name or it was cut.
  };

  /// Reads up to so many bytes. 0 at the end. Errors: any.
  using Reader = std::function<Result<std::size_t>(char* into, std::size_t most)>;
  /// Opens what the reader gives, by that name. `total`: how many bytes it has. Errors:
  /// kInvalidParameter.
  [[nodiscard]] static Result<std::unique_ptr<CompressedInput>> open(
      std::string name, std::uint64_t total, Reader reader, std::size_t max_line,
      const std::string& encoding = {});

  /// "-" is standard input. `encoding` is a name that iconv(3) knows; empty: the bytes are taken as
  /// they are. Errors: kNotFound, kInternal, kInvalidParameter.
  [[nodiscard]] static Result<std::unique_ptr<CompressedInput>> open(
      const std::filesystem::path& file, std::size_t max_line, AtEnd at_end = AtEnd::kStop,
      const std::string& encoding = {});
  ~CompressedInput();

  /// The first line that is not blank and was not given out yet, without its end; cut at
  /// `max_line`. Waits for it.
  [[nodiscard]] std::string_view peek();
  /// From here on, next() gives out the records that this finds in place of lines: all of their
  /// bytes, with what separates them.
  void set_framing(std::unique_ptr<Framing> framing) { framing_ = std::move(framing); }
  /// From here on, next() gives out lines of what this makes of the text: offsets and numbers are
  /// theirs. REQUIRES: nothing was given out yet.
  void set_conversion(std::unique_ptr<Conversion> conversion);
  /// False at the end, when cancelled, or when the rest cannot be read: then error() says why.
  [[nodiscard]] bool next(Line& line);
  /// True if next() can return a line or an error without waiting for the file to grow.
  [[nodiscard]] bool ready() const;
  /// Any thread: ends a next() that waits, and all that follow.
  void cancel();
  [[nodiscard]] const std::optional<Error>& error() const { return error_; }
  /// True if the file was truncated while next() waited. The incomplete line read before is not
  /// returned.
  [[nodiscard]] bool was_cut() const;

  /// Bytes of the file (before decompression) read so far, and in all; 0 when unknown.
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
  std::size_t at_ = 0;                      ///< In buffer_: the first byte not yet given out.
  std::uint64_t offset_ = 0;                ///< Offset of buffer_[at_].
  std::uint64_t lines_ = 0;                 ///< Line ends before it.
  std::unique_ptr<Framing> framing_;        ///< Null: lines.
  std::optional<Decoder> decoder_;          ///< None: UTF-8, or what the bytes may be.
  std::unique_ptr<Conversion> conversion_;  ///< Null: the file's own text.
  std::string raw_;                         ///< Read, and not yet converted.
  std::size_t raw_at_ = 0;
  bool raw_ended_ = false;
  bool has_begun_ = false;
  bool ended_ = false;
  std::optional<Error> error_;
};

}  // namespace analytics
