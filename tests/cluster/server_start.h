#pragma once

#include <functional>

#include <sys/wait.h>

#include "tests/support/eventually.h"
#include "tests/support/process.h"

namespace analytics::test {

/// Waits until a started server answers; false if its process ends instead.
inline bool starts(const Process& server, const std::function<bool()>& answers) {
  bool has_ended = false;
  const bool is_there = eventually([&] {
    siginfo_t state{};
    (void)waitid(P_PID, static_cast<id_t>(server.id()), &state, WEXITED | WNOHANG | WNOWAIT);
    has_ended = state.si_pid != 0;
    return has_ended || answers();
  });
  return is_there && !has_ended;
}

}  // namespace analytics::test
