#pragma once

#include <string>
#include <vector>

#include "cli/replay/formats/access_log_format.h"
#include "cli/replay/formats/access_log_reader.h"

namespace analytics::cli {

/// Reads an access log with lines in several formats: one after another, as when a server's
/// settings were changed, or interleaved. A line that the first format rejects is tried with the
/// others that need no header. A line without fields that the first format has, as if it were cut
/// off, is rejected.
class MixedLogReader final : public LineReader {
 public:
  MixedLogReader(const AccessLogFormatRow& first, ReaderOptions options);

  [[nodiscard]] ReadLine read(std::string_view line) override;
  void skip(std::string_view line) override { readers_.front().reader.skip(line); }
  [[nodiscard]] std::string header() const override { return readers_.front().reader.header(); }

 private:
  struct Known {
    const AccessLogFormatRow* row;
    AccessLogReader reader;
  };
  [[nodiscard]] bool may_be(const AccessLogFormatRow& row) const;

  ReaderOptions options_;
  std::vector<Known> readers_;  ///< Formats that have read a line, in order of their first line.
};

}  // namespace analytics::cli
