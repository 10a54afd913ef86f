#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

#include "cli/replay/formats/reader.h"
#include "cli/replay/tables/joined_input.h"
#include "common/compressed_input.h"

namespace analytics::cli {

/// Gives out the lines of a file, and takes some back to give them out again. Of a JSON document
/// that is a list, or has objects over several lines, each object is a line; of an SQL dump, each
/// event.
class LineCursor {
 public:
  /// `tables` may belong to the events of the file. Both must outlive this object.
  LineCursor(CompressedInput& input, const SideTables& tables) : input_(input), tables_(tables) {}

  /// Returns false at the end.
  bool next(CompressedInput::Line& line);
  void take_back(std::vector<CompressedInput::Line> lines);
  /// True if the next line is there without waiting.
  [[nodiscard]] bool ready() const { return !back_.empty() || input_.ready(); }

 private:
  void begin();

  CompressedInput& input_;
  const SideTables& tables_;
  std::deque<CompressedInput::Line> back_;
  bool started_ = false;
  bool has_elements_ = false;  ///< Of a JSON document.
};

/// Reads the record that starts with `line`. Appends the following lines to `line` if together they
/// are one record; otherwise leaves them to be read as records of their own. Calls `before_more`
/// before it reads further lines, for which it may have to wait.
[[nodiscard]] ReadLine assemble_record(
    LineReader& reader, LineCursor& lines, CompressedInput::Line& line,
    const std::function<void()>& before_more = [] {});

}  // namespace analytics::cli
