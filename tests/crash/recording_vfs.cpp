#include "tests/crash/recording_vfs.h"

#include <sqlite3.h>

namespace analytics::test {

void RecordingVfs::start() {
  const std::scoped_lock lock(mutex_);
  running_ = true;
}

void RecordingVfs::acknowledge(const std::string& path) { note({Step::Kind::kAcknowledged, path}); }

std::vector<Step> RecordingVfs::steps() {
  const std::scoped_lock lock(mutex_);
  return steps_;
}

int RecordingVfs::on_open(const std::filesystem::path&) { return SQLITE_OK; }

int RecordingVfs::on_write(const std::filesystem::path& file, std::int64_t at,
                           std::string_view bytes) {
  return note({Step::Kind::kWrite, file.filename().string(), at, std::string(bytes)});
}

int RecordingVfs::on_truncate(const std::filesystem::path& file, std::int64_t size) {
  return note({Step::Kind::kTruncate, file.filename().string(), size});
}

int RecordingVfs::on_sync(const std::filesystem::path& file) {
  return note({Step::Kind::kSync, file.filename().string()});
}

int RecordingVfs::on_delete(const std::filesystem::path& file) {
  return note({Step::Kind::kDelete, file.filename().string()});
}

int RecordingVfs::note(Step step) {
  const std::scoped_lock lock(mutex_);
  if (running_) steps_.push_back(std::move(step));
  return SQLITE_OK;
}

}  // namespace analytics::test
