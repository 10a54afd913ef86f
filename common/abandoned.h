#pragma once

#include <atomic>
#include <memory>

namespace analytics {

/// Becomes true when nobody waits for the result of some work any more, so that it can end. Null:
/// it is not known whether somebody waits.
using Abandoned = std::shared_ptr<const std::atomic<bool>>;

[[nodiscard]] inline bool is_abandoned(const Abandoned& flag) { return flag && *flag; }

}  // namespace analytics
