#pragma once

#include "daemon/parts/part_builder.h"
#include "daemon/store/sqlite/db/job_worker.h"

namespace analytics::sqlite {

/// The sink that receives the parts that a job makes, the job itself, and the worker thread that
/// runs one job after another.
using PartSink = JobSink<parts::PartBytes>;
using PartJob = Job<parts::PartBytes>;
using PartWorker = JobWorker<parts::PartBytes>;

}  // namespace analytics::sqlite
