#pragma once

#include <atomic>
#include <memory>

namespace analytics {

/// A flag that becomes true when the result of some work is no longer wanted, so that the work can
/// end early. A null pointer means that the result is wanted.
using Abandoned = std::shared_ptr<const std::atomic<bool>>;

[[nodiscard]] inline bool is_abandoned(const Abandoned& flag) { return flag && *flag; }

}  // namespace analytics
