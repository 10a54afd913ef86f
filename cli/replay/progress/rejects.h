#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/replay/formats/record.h"
#include "cli/replay/progress/accounting.h"
#include "common/fs.h"
#include "common/result.h"

namespace analytics::cli {

/// A place in a reject file, and what stands before it.
struct RejectMark {
  std::uint64_t bytes = 0;
  std::string tail;  ///< Hash of the last bytes before it.
};

/// The reject file: NDJSON, each record with its place, why it was refused, and its bytes. Private,
/// because records hold addresses.
class RejectFile {
 public:
  /// An empty path: nothing is kept.
  explicit RejectFile(std::string path) : path_(std::move(path)) {}

  /// Truncates the file to `mark` when an import resumes and the file still matches the mark. Else
  /// keeps its content and appends. Errors: kInvalidParameter when it is one of
  /// the inputs; kInternal when it cannot be written.
  [[nodiscard]] Status open(const std::vector<std::string>& inputs,
                            const std::optional<RejectMark>& mark);
  [[nodiscard]] const std::string& path() const { return path_; }
  void write(const Record& record, std::string_view stage, const std::string& code,
             const std::string& message);
  /// Brings what was written to the disk. False when that failed, now or before.
  [[nodiscard]] bool sync();
  /// The part of the file that sync() has made durable.
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

/// How many rejects are too many: a number of them, or a part of what was read.
class ErrorLimit {
 public:
  /// "10" or "1.5%"; empty: no limit. nullopt for anything else.
  [[nodiscard]] static std::optional<ErrorLimit> parse(const std::string& text);
  /// A percentage says nothing before 100 records are read.
  [[nodiscard]] bool passed(const Accounts& accounts) const;

 private:
  std::optional<std::int64_t> most_;
  std::optional<double> percent_;
};

}  // namespace analytics::cli
