#include "common/run/heap.h"

#include <malloc.h>

namespace analytics {

bool give_back_free_memory(std::size_t kept) {
  return mallinfo2().fordblks > kept && malloc_trim(0) != 0;
}

}  // namespace analytics
