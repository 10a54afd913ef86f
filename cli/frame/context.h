#pragma once

#include <iosfwd>
#include <string>

#include "cli/frame/settings.h"
#include "common/text/time.h"

namespace analytics::cli {

class ApiClient;

/// Everything a command needs to run.
struct Context {
  const Settings& settings;
  ApiClient& api;
  std::istream& in;
  std::ostream& out;
  std::ostream& err;
  const Clock& clock;
  bool in_is_terminal = false;
  bool out_is_terminal = false;
  bool err_is_terminal = false;
};

}  // namespace analytics::cli
