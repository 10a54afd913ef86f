#include "cli/signals.h"

#include <atomic>
#include <csignal>

namespace analytics::cli {
namespace {

constexpr int kWatched[] = {SIGHUP, SIGINT, SIGTERM};

// A handler can only reach what is static.
std::atomic<int> first_signal{0};
static_assert(std::atomic<int>::is_always_lock_free);

void note(int signal) {
  first_signal = signal;
  std::signal(signal, SIG_DFL);
}

}  // namespace

SignalWatch::SignalWatch() {
  first_signal = 0;
  for (const int signal : kWatched) std::signal(signal, note);
}

SignalWatch::~SignalWatch() {
  for (const int signal : kWatched) std::signal(signal, SIG_DFL);
}

int SignalWatch::received() const { return first_signal; }

}  // namespace analytics::cli
