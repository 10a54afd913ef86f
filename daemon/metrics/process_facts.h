#pragma once

#include <cstdint>

namespace analytics {

/// Facts that Linux reports about this process, for the usual process metrics of Prometheus.
struct ProcessFacts {
  double start_seconds = 0;  ///< Start of the process as Unix time.
  double cpu_seconds = 0;    ///< User and kernel time of all threads.
  std::uint64_t resident_bytes = 0;
  std::uint64_t open_files = 0;
  std::uint64_t max_files = 0;  ///< Maximum number of open files.
};

/// Reads the facts; a fact that cannot be read is 0.
[[nodiscard]] ProcessFacts process_facts();

}  // namespace analytics
