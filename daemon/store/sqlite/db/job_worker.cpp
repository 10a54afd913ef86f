#include "daemon/store/sqlite/db/job_worker.h"

#include <sys/resource.h>
#include <unistd.h>

namespace analytics::sqlite {
namespace {

/// Nice value that gives a thread a tenth of the CPU time of a thread with normal priority.
constexpr int kNice = 10;

}  // namespace

// On Linux, PRIO_PROCESS with a thread's id sets the priority of this thread alone.
void lower_priority() { (void)::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), kNice); }

}  // namespace analytics::sqlite
