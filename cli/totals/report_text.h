#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/io/decoder.h"
#include "common/run/result.h"

namespace analytics::cli {

/// A text with reports: a file itself, or an entry of a zip archive.
struct ReportPlace {
  std::filesystem::path file;
  std::string entry;  ///< Name in the archive; empty if the text is the file itself.

  /// Returns the file's name, and the entry's in brackets, for messages.
  [[nodiscard]] std::string name() const;
};

/// Returns the places of the texts to read: each entry of a zip archive, in the archive's order;
/// for any other file, the file itself. Errors: kNotFound, kMalformedBody.
[[nodiscard]] Result<std::vector<ReportPlace>> list_texts(const std::filesystem::path& file);

/// Reads the lines of a text as UTF-8; converts UTF-16, which Matomo writes. Memory is bounded by
/// the longest line allowed.
class ReportText {
 public:
  struct Line {
    std::string text;        ///< The line without its line end.
    std::uint64_t from = 0;  ///< Start in the converted text; `to` is after the line end.
    std::uint64_t to = 0;
  };

  /// Opens a text. Errors: kNotFound, kMalformedBody.
  [[nodiscard]] static Result<std::unique_ptr<ReportText>> open(const ReportPlace& place);

  /// Reads the next line. Returns false at the end, or if the rest cannot be read; error() is then
  /// set.
  [[nodiscard]] bool next(Line& line);
  [[nodiscard]] const std::optional<Error>& error() const { return error_; }

 private:
  /// A function that appends bytes to the given text. Returns false at the end. Errors:
  /// kMalformedBody.
  using More = std::function<Result<bool>(std::string&)>;
  explicit ReportText(More more) : more_(std::move(more)) {}
  static Result<More> open_file(const std::filesystem::path& file);
  static Result<More> open_packed(const ReportPlace& place);

  bool fill();
  void decode(bool is_end);

  More more_;
  std::string raw_;     ///< Bytes not yet converted.
  std::string text_;    ///< Converted text.
  std::size_t at_ = 0;  ///< Offset in text_ of the first byte not yet returned.
  std::uint64_t offset_ = 0;
  bool has_begun_ = false;
  std::optional<Decoder> decoder_;  ///< Decodes UTF-16; unset for UTF-8.
  bool ended_ = false;
  std::optional<Error> error_;
};

}  // namespace analytics::cli
