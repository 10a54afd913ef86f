#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/replay/formats/record.h"
#include "cli/replay/progress/accounting.h"
#include "common/io/fs.h"
#include "common/run/result.h"

namespace analytics::cli {

/// A position in a reject file, and a hash that identifies the content before it.
struct RejectMark {
  std::uint64_t bytes = 0;
  std::string tail;  ///< Hash of the last bytes before the position.
};

/// The reject file, as NDJSON: each record with its position, the reason for its rejection, and its
/// bytes. Readable only by its owner, because records contain addresses.
class RejectFile {
 public:
  /// An empty path disables the file.
  explicit RejectFile(std::string path) : path_(std::move(path)) {}

  /// Truncates the file to `mark` if an import resumes and the file still matches the mark.
  /// Otherwise keeps its content and appends. Errors: kInvalidParameter if it is one of the inputs;
  /// kInternal if it cannot be written.
  [[nodiscard]] Status open(const std::vector<std::string>& inputs,
                            const std::optional<RejectMark>& mark);
  [[nodiscard]] const std::string& path() const { return path_; }
  void write(const Record& record, std::string_view stage, const std::string& code,
             const std::string& message);
  /// Syncs everything written to disk. Returns false if that has ever failed.
  [[nodiscard]] bool sync();
  /// Returns the position up to which sync() has made the file durable.
  [[nodiscard]] RejectMark mark() const;

 private:
  void flush();

  std::string path_;
  FileDescriptor file_;
  std::string waiting_;
  std::uint64_t bytes_ = 0;
  bool dirty_ = false;
  bool failed_ = false;
};

/// The limit on rejects: a number of records, or a percentage of the records read.
class ErrorLimit {
 public:
  /// Parses "10" or "1.5%"; an empty text means no limit. Returns nullopt for anything else.
  [[nodiscard]] static std::optional<ErrorLimit> parse(const std::string& text);
  /// Returns true if the limit is exceeded. A percentage counts only after 100 records are read.
  [[nodiscard]] bool passed(const Accounts& accounts) const;

 private:
  std::optional<std::int64_t> most_;
  std::optional<double> percent_;
};

}  // namespace analytics::cli
