#pragma once

#include "daemon/parts/part_builder.h"
#include "daemon/store/sqlite/db/job_worker.h"

namespace analytics::sqlite {

/// Jobs that make parts on their own thread, the sink that receives these parts, and the worker
/// that runs the jobs.
using PartSink = JobSink<parts::PartBytes>;
using PartJob = Job<parts::PartBytes>;
using PartWorker = JobWorker<parts::PartBytes>;

}  // namespace analytics::sqlite
