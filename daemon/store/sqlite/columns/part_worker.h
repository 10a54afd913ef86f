#pragma once

#include "daemon/parts/part_builder.h"
#include "daemon/store/sqlite/db/job_worker.h"

namespace analytics::sqlite {

using PartSink = JobSink<parts::PartBytes>;
using PartJob = Job<parts::PartBytes>;
using PartWorker = JobWorker<parts::PartBytes>;

}  // namespace analytics::sqlite
