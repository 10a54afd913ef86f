#pragma once

#include <string>
#include <vector>

#include "cli/replay/formats/access_log_format.h"
#include "cli/replay/formats/access_log_reader.h"

namespace analytics::cli {

/// An access log whose lines may have several formats: one after another, as when a server's
/// settings were changed, or in turns. A line that the first does not read is given to the others
/// that need no header. A line that lacks what the first has, as if it was cut off, is refused.
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
  std::vector<Known> readers_;  ///< Those that have read a line, in the order of their first.
};

}  // namespace analytics::cli
