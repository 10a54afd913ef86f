#include "cli/frame/signals.h"

#include <atomic>
#include <csignal>

namespace analytics::cli {
namespace {

constexpr int kEnding[] = {SIGHUP, SIGINT, SIGTERM};

// A signal handler can only use static data.
std::atomic<int> first_signal{0};
std::atomic<bool> status_requested{false};
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<bool>::is_always_lock_free);

/// Records the first signal, which requests an orderly end. A second signal ends the process at
/// once.
void note_end(int signal) {
  first_signal = signal;
  for (const int each : kEnding) std::signal(each, SIG_DFL);
}

void note_status(int) { status_requested = true; }

/// Installs the handler, unless the process ignores the signal already, as it does SIGHUP under
/// nohup.
void watch(int signal, void (*handler)(int)) {
  struct sigaction before {};
  if (sigaction(signal, nullptr, &before) == 0 && before.sa_handler == SIG_IGN) return;
  struct sigaction wanted {};
  wanted.sa_handler = handler;
  sigemptyset(&wanted.sa_mask);
  wanted.sa_flags = SA_RESTART;
  sigaction(signal, &wanted, nullptr);
}

}  // namespace

SignalWatch::SignalWatch() {
  first_signal = 0;
  status_requested = false;
  for (const int signal : kEnding) watch(signal, note_end);
  watch(SIGUSR1, note_status);
}

SignalWatch::~SignalWatch() {
  for (const int signal : kEnding) watch(signal, SIG_DFL);
  watch(SIGUSR1, SIG_IGN);  // a signal that arrives late must not end the process
}

int SignalWatch::received() const { return first_signal; }

bool SignalWatch::take_status_request() { return status_requested.exchange(false); }

}  // namespace analytics::cli
