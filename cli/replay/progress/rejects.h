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

/// A position in a reject file, with a hash by which the file is recognised later.
struct RejectMark {
  std::uint64_t bytes = 0;
  std::string tail;  ///< Hash of the last few of these bytes.
};

/// The reject file: one JSON object per line, with a rejected record's position, the reason and the
/// record itself. Only its owner can read it, because records contain addresses.
class RejectFile {
 public:
  /// An empty path disables writing.
  explicit RejectFile(std::string path) : path_(std::move(path)) {}

  /// Opens the file for appending. First truncates it to `mark`, if given, unless the content
  /// before the mark has changed. Errors: kInvalidParameter if it is one of the inputs; kInternal
  /// if it cannot be written.
  [[nodiscard]] Status open(const std::vector<std::string>& inputs,
                            const std::optional<RejectMark>& mark);
  [[nodiscard]] const std::string& path() const { return path_; }
  /// Appends a record. `stage` is "parse" or "send", where the record was rejected.
  void write(const Record& record, std::string_view stage, const std::string& code,
             const std::string& message);
  /// Syncs everything written to disk. Returns false if any write or sync has failed.
  [[nodiscard]] bool sync();
  /// Returns the end of the file; call it after sync(), which makes the file durable up to there.
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

/// The limit on rejected records: their number, or a percentage of the records read.
class ErrorLimit {
 public:
  /// Parses "10" or "1.5%"; an empty text means no limit. Returns nullopt for anything else.
  [[nodiscard]] static std::optional<ErrorLimit> parse(const std::string& text);
  /// Returns true if the limit is exceeded. A percentage applies only once 100 records are read.
  [[nodiscard]] bool passed(const Accounts& accounts) const;

 private:
  std::optional<std::int64_t> most_;
  std::optional<double> percent_;
};

}  // namespace analytics::cli
