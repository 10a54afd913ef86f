#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

#include "cli/replay/formats/reader.h"
#include "cli/replay/tables/joined_input.h"
#include "common/io/compressed_input.h"

namespace analytics::cli {

/// Reads a file line by line, and can take lines back to return them again. In a JSON document
/// with a list or with objects over several lines, each object counts as a line; in an SQL dump,
/// each event.
class LineCursor {
 public:
  /// `tables` may contain data about the file's events. `input` and `tables` must outlive this
  /// object.
  LineCursor(CompressedInput& input, const SideTables& tables) : input_(input), tables_(tables) {}

  /// Reads the next line. Returns false at the end.
  bool next(CompressedInput::Line& line);
  /// Makes next() return these lines before any others.
  void take_back(std::vector<CompressedInput::Line> lines);
  /// Returns true if the next line can be read without waiting.
  [[nodiscard]] bool ready() const { return !back_.empty() || input_.ready(); }

 private:
  void begin();

  CompressedInput& input_;
  const SideTables& tables_;
  std::deque<CompressedInput::Line> back_;
  bool started_ = false;
  bool has_elements_ = false;  ///< True for a JSON document, whose objects are its lines.
};

/// Reads the record that starts with `line`. Appends the following lines to `line` if together they
/// form one record; otherwise leaves them in `lines`. Calls `before_more` before it reads further
/// lines, because it may have to wait for them.
[[nodiscard]] ReadLine assemble_record(
    LineReader& reader, LineCursor& lines, CompressedInput::Line& line,
    const std::function<void()>& before_more = [] {});

}  // namespace analytics::cli
