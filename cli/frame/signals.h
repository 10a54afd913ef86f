#pragma once

namespace analytics::cli {

/// Handles signals during its lifetime. The first HUP, INT or TERM is only recorded; a second of
/// these signals ends the process. A signal that the parent process ignored stays ignored.
class SignalWatch {
 public:
  SignalWatch();
  ~SignalWatch();
  SignalWatch(const SignalWatch&) = delete;
  SignalWatch& operator=(const SignalWatch&) = delete;
  [[nodiscard]] int received() const;  ///< Returns the first signal received; 0 before it.
  /// Returns true if SIGUSR1 arrived since the last call.
  [[nodiscard]] bool take_status_request();
};

}  // namespace analytics::cli
