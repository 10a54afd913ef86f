#pragma once

namespace analytics::cli {

/// While it lives, the first HUP, INT or TERM is only noted; the second ends the process.
class SignalWatch {
 public:
  SignalWatch();
  ~SignalWatch();
  SignalWatch(const SignalWatch&) = delete;
  SignalWatch& operator=(const SignalWatch&) = delete;
  [[nodiscard]] int received() const;  ///< 0: none.
};

}  // namespace analytics::cli
