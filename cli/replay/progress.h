#pragma once

#include <chrono>
#include <ostream>
#include <string>

#include "cli/replay/accounting.h"

namespace analytics::cli {

/// Tells how far a replay is: one line rewritten on a terminal, a plain line every 10 s elsewhere.
class Progress {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;
  /// `kind`: auto, bar, plain, json, none.
  Progress(const std::string& kind, bool terminal, std::ostream& err, TimePoint start);
  void show(const Accounts& accounts, std::uint64_t bytes_read, std::uint64_t bytes_total,
            TimePoint now);
  /// The same at once, whatever the kind: an answer to SIGUSR1.
  void print(const Accounts& accounts, std::uint64_t bytes_read, std::uint64_t bytes_total,
             TimePoint now);
  void finish();  ///< Clears the line.

 private:
  std::string kind_;
  std::ostream& err_;
  TimePoint start_;
  TimePoint last_;
  bool shown_ = false;
};

}  // namespace analytics::cli
