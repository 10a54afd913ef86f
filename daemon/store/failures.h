#pragma once

#include <stdexcept>

namespace analytics::store {

/// Thrown after a failed sync, when the contents of the disk are unknown. The process must end
/// without answering anything else; the next start reads what the disk really contains.
struct StoreLost : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Thrown if the database file is damaged, belongs to another program or was written by a newer
/// version.
struct StoreUnusable : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace analytics::store
