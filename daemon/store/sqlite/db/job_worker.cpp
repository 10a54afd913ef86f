#include "daemon/store/sqlite/db/job_worker.h"

#include <sys/resource.h>
#include <unistd.h>

namespace analytics::sqlite {
namespace {

/// Gives the thread a tenth of the CPU time of a thread with normal priority.
constexpr int kNice = 10;

}  // namespace

// On Linux, each thread has a priority of its own.
void lower_priority() { (void)::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), kNice); }

}  // namespace analytics::sqlite
