#pragma once

#include <string>
#include <vector>

#include "cli/replay/formats/access_log_format.h"
#include "cli/replay/formats/access_log_reader.h"

namespace analytics::cli {

/// Reads an access log with lines in several formats, either one after another because a server's
/// settings were changed, or interleaved. Tries a line that the first format rejects with the other
/// formats that need no header. Rejects a line that lacks fields of the first format, because it
/// may have been cut off.
class MixedLogReader final : public LineReader {
 public:
  MixedLogReader(const AccessLogFormatRow& first, ReaderOptions options);

  [[nodiscard]] ReadLine read(std::string_view line) override;
  void skip(std::string_view line) override { readers_.front().reader.skip(line); }
  [[nodiscard]] std::string header() const override { return readers_.front().reader.header(); }

 private:
  /// A format that was found in the log, and a reader for it.
  struct Known {
    const AccessLogFormatRow* row;
    AccessLogReader reader;
  };
  /// Returns true if the format of `row` should be tried for a line that no format in readers_ can
  /// read.
  [[nodiscard]] bool may_be(const AccessLogFormatRow& row) const;

  ReaderOptions options_;
  /// Formats found in the log so far. The first is the format of the log's first line.
  std::vector<Known> readers_;
};

}  // namespace analytics::cli
