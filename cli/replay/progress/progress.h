#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <ostream>
#include <string>

#include "cli/replay/progress/accounting.h"

namespace analytics::cli {

/// The state of a running replay that is shown to the user.
struct ReplayState {
  const Accounts& accounts;       ///< The counts of this run.
  std::uint64_t bytes_read = 0;   ///< Bytes read from the files, before decompression.
  std::uint64_t bytes_total = 0;  ///< Size of all files; 0 if unknown.
  /// Reason why requests are being repeated; empty while they succeed.
  std::string pause;
};

/// Shows the progress of a replay: rewrites one line on a terminal, or prints a line every 10 s.
class Progress {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;
  /// `kind` is auto, bar, plain, json or none; `columns` returns the current width of the terminal.
  Progress(const std::string& kind, bool terminal, std::ostream& err, TimePoint start,
           std::function<std::size_t()> columns);
  /// Prints the state if enough time has passed since the last call that printed.
  void show(const ReplayState& state, TimePoint now);
  /// Prints the state immediately, whatever the kind, because the user sent SIGUSR1.
  void print(const ReplayState& state, TimePoint now);
  /// Clears the line on the terminal, so that other text can be printed; show() draws it again.
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
