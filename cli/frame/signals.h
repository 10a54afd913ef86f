#pragma once

namespace analytics::cli {

/// While it lives, the first HUP, INT or TERM is only noted; the second, whichever it is, ends the
/// process. A signal that was ignored from outside stays ignored.
class SignalWatch {
 public:
  SignalWatch();
  ~SignalWatch();
  SignalWatch(const SignalWatch&) = delete;
  SignalWatch& operator=(const SignalWatch&) = delete;
  [[nodiscard]] int received() const;        ///< 0: none.
  [[nodiscard]] bool take_status_request();  ///< True if SIGUSR1 arrived since the last call.
};

}  // namespace analytics::cli
