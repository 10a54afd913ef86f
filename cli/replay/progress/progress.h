#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <ostream>
#include <string>

#include "cli/replay/progress/accounting.h"

namespace analytics::cli {

/// The progress of a replay.
struct ReplayState {
  const Accounts& accounts;       ///< The counts of this run.
  std::uint64_t bytes_read = 0;   ///< Bytes read from the files, before decompression.
  std::uint64_t bytes_total = 0;  ///< 0 if unknown.
  std::string pause;              ///< Why nothing is sent; empty while sending.
};

/// Shows the progress of a replay: one line rewritten on a terminal, a plain line every 10 s
/// elsewhere.
class Progress {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;
  /// `kind`: auto, bar, plain, json, none. `columns` returns the current width of the terminal.
  Progress(const std::string& kind, bool terminal, std::ostream& err, TimePoint start,
           std::function<std::size_t()> columns);
  void show(const ReplayState& state, TimePoint now);
  /// Prints the state immediately in any mode, in reply to SIGUSR1.
  void print(const ReplayState& state, TimePoint now);
  /// Clears the line, so that something else can be printed; the next show() draws it again.
  void clear();

 private:
  std::string kind_;
  std::ostream& err_;
  TimePoint start_;
  TimePoint last_;
  std::function<std::size_t()> columns_;
  bool shown_ = false;
};

}  // namespace analytics::cli
