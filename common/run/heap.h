#pragma once

#include <cstddef>

namespace analytics {

/// Gives free memory back to the system if the allocator keeps more than `kept` free bytes. Without
/// a request, allocators keep for good the memory that a large query or import has freed. Any
/// thread; takes milliseconds. Returns true if memory was given back.
bool give_back_free_memory(std::size_t kept);

}  // namespace analytics
