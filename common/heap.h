#pragma once

#include <cstddef>

namespace analytics {

/// Returns free memory to the system when the allocator keeps more than `kept` bytes of it.
/// Allocators keep what a large query or import has freed, for good if nobody asks. Any thread;
/// takes milliseconds. True when memory was returned.
bool give_back_free_memory(std::size_t kept);

}  // namespace analytics
