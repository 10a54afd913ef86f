#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/decoder.h"
#include "common/result.h"

namespace analytics::cli {

/// A text in a file of reports: the file itself, or an entry of a zip archive.
struct ReportPlace {
  std::filesystem::path file;
  std::string entry;  ///< Empty: the file itself.

  /// For people.
  [[nodiscard]] std::string name() const;
};

/// The texts of a file, in the order of the archive; of a file that is none, itself. Errors:
/// kNotFound, kMalformedBody.
[[nodiscard]] Result<std::vector<ReportPlace>> list_texts(const std::filesystem::path& file);

/// The lines of a text in UTF-8; one in UTF-16, which Matomo writes, is converted. Memory is
/// bounded by the longest line allowed.
class ReportText {
 public:
  struct Line {
    std::string text;        ///< Without its line end.
    std::uint64_t from = 0;  ///< Bytes of the converted text, `to` behind its line end.
    std::uint64_t to = 0;
  };

  /// Errors: kNotFound, kMalformedBody.
  [[nodiscard]] static Result<std::unique_ptr<ReportText>> open(const ReportPlace& place);

  /// False at the end, or if the rest cannot be read: then error() says why.
  [[nodiscard]] bool next(Line& line);
  [[nodiscard]] const std::optional<Error>& error() const { return error_; }

 private:
  /// Appends bytes to the text. Returns false at the end. Errors: kMalformedBody.
  using More = std::function<Result<bool>(std::string&)>;
  explicit ReportText(More more) : more_(std::move(more)) {}
  static Result<More> open_file(const std::filesystem::path& file);
  static Result<More> open_packed(const ReportPlace& place);

  bool fill();
  void decode(bool is_end);

  More more_;
  std::string raw_;     ///< Not yet converted.
  std::string text_;    ///< Converted.
  std::size_t at_ = 0;  ///< In text_: the first byte not yet given out.
  std::uint64_t offset_ = 0;
  bool has_begun_ = false;
  std::optional<Decoder> decoder_;  ///< None: UTF-8.
  bool ended_ = false;
  std::optional<Error> error_;
};

}  // namespace analytics::cli
