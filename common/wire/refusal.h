#pragma once

#include <string>

#include "common/run/result.h"

namespace analytics {

/// Returns the error for a parameter with a wrong value. `problem` completes a sentence that begins
/// with the parameter's name, such as "is empty".
[[nodiscard]] inline tl::unexpected<Error> refuse_parameter(const char* parameter,
                                                            const std::string& problem) {
  return fail({ErrorCode::kInvalidParameter,
               std::string(parameter) + " " + problem + ".",
               {{parameter, problem}}});
}

}  // namespace analytics
