#pragma once

#include <cstddef>

namespace analytics {

/// Returns free memory to the system if the allocator keeps more than `kept` free bytes. Otherwise
/// the allocator would keep the memory that a large query or import has freed. Any thread; takes
/// milliseconds. Returns true if the system got memory back.
bool give_back_free_memory(std::size_t kept);

}  // namespace analytics
