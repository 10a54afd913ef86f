#include "daemon/metrics/process_facts.h"

#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <sys/resource.h>
#include <unistd.h>

namespace analytics {
namespace {

/// Returns the clock ticks from the start of the system to that of the process: field 22 of
/// proc_pid_stat(5).
std::uint64_t start_ticks() {
  std::ifstream file("/proc/self/stat");
  std::string text;
  std::getline(file, text);
  std::istringstream fields(text.substr(text.rfind(')') + 1));
  std::string skipped;
  for (int field = 3; field < 22; ++field) fields >> skipped;
  std::uint64_t ticks = 0;
  fields >> ticks;
  return ticks;
}

double uptime() {
  std::ifstream file("/proc/uptime");
  double seconds = 0;
  file >> seconds;
  return seconds;
}

double now() {
  const auto time = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration<double>(time).count();
}

std::uint64_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  std::uint64_t all = 0;
  std::uint64_t resident = 0;
  file >> all >> resident;
  return resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

std::uint64_t open_files() {
  std::uint64_t count = 0;
  std::error_code failed;
  for (std::filesystem::directory_iterator at("/proc/self/fd", failed), end; !failed && at != end;
       at.increment(failed)) {
    ++count;
  }
  return count;
}

double seconds(const timeval& time) {
  constexpr double kMicros = 1e6;
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / kMicros;
}

}  // namespace

ProcessFacts process_facts() {
  ProcessFacts facts;
  const auto ticks = static_cast<double>(sysconf(_SC_CLK_TCK));
  facts.start_seconds = now() - uptime() + static_cast<double>(start_ticks()) / ticks;
  rusage used{};
  if (getrusage(RUSAGE_SELF, &used) == 0) {
    facts.cpu_seconds = seconds(used.ru_utime) + seconds(used.ru_stime);
  }
  facts.resident_bytes = resident_bytes();
  facts.open_files = open_files();
  rlimit files{};
  if (getrlimit(RLIMIT_NOFILE, &files) == 0) facts.max_files = files.rlim_cur;
  return facts;
}

}  // namespace analytics
