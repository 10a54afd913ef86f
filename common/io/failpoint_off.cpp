#include "common/io/failpoint.h"

namespace analytics {

bool failpoint(const char*) { return false; }

}  // namespace analytics
