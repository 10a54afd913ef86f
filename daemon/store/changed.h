#pragma once

#include "common/wire/api_types.h"

namespace analytics::store {

/// Result of a find-or-create or an update: the object as it is now, and the effect of the call.
template <typename T>
struct Changed {
  T value;
  ChangeOutcome outcome = ChangeOutcome::kUnchanged;
};

}  // namespace analytics::store
