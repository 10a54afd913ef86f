#include "tests/crash/failing_disk.h"

#include <fstream>

#include <sqlite3.h>

#include "common/io/fs.h"

namespace analytics::test {
namespace {

// Size in bytes of a block that a disk writes completely or not at all.
constexpr std::size_t kSector = 512;

}  // namespace

// SQLite assumes of every disk that a write does not change neighbouring bytes.
FailingDisk::FailingDisk() : VfsLayer(SQLITE_IOCAP_POWERSAFE_OVERWRITE) {}

void FailingDisk::clear() {
  state_ = {};
  repair();
}

void FailingDisk::fail(Fault fault, int operations) {
  repair();
  fault_ = fault;
  left_ = operations;
}

void FailingDisk::repair() {
  fault_ = Fault::kNone;
  has_failed_ = false;
}

bool FailingDisk::is_broken(Fault one, Fault other) {
  if (fault_ == Fault::kNone) return false;
  if (left_ > 0) {
    --left_;
    return false;
  }
  const bool is_hit = fault_ == one || fault_ == other;
  has_failed_ |= is_hit;
  return is_hit;
}

int FailingDisk::on_open(const std::filesystem::path& file) {
  const auto [at, is_new] = state_.files_.try_emplace(file);
  if (is_new) at->second.current = at->second.synced = read_file(file).value_or("");
  return SQLITE_OK;
}

int FailingDisk::change(const std::filesystem::path& file, State::Change change) {
  auto& known = state_.files_[file];
  State::apply(change, known.current);
  known.changes.push_back(std::move(change));
  return SQLITE_OK;
}

int FailingDisk::on_write(const std::filesystem::path& file, std::int64_t at,
                          std::string_view bytes) {
  if (is_broken(Fault::kWrites, Fault::kFull)) {
    return fault_ == Fault::kFull ? SQLITE_FULL : SQLITE_IOERR_WRITE;
  }
  return change(file, {at, std::string(bytes)});
}

int FailingDisk::on_truncate(const std::filesystem::path& file, std::int64_t size) {
  if (is_broken(Fault::kWrites, Fault::kWrites)) return SQLITE_IOERR_TRUNCATE;
  return change(file, {size, {}});
}

int FailingDisk::on_sync(const std::filesystem::path& file) {
  auto& known = state_.files_[file];
  if (is_broken(Fault::kSyncs, Fault::kSyncs)) {
    for (auto& change : known.changes) change.is_lost = true;
    return SQLITE_IOERR_FSYNC;
  }
  for (const auto& change : known.changes) {
    if (!change.is_lost) State::apply(change, known.synced);
  }
  known.changes.clear();
  return SQLITE_OK;
}

int FailingDisk::on_delete(const std::filesystem::path& file) {
  state_.files_.erase(file);
  return SQLITE_OK;
}

void FailingDisk::State::apply(const Change& change, std::string& to) {
  if (change.bytes.empty()) return to.resize(static_cast<std::size_t>(change.at));
  write_into(to, change.at, change.bytes);
}

void FailingDisk::State::cut_power(std::mt19937& random) {
  for (auto& [path, file] : files_) {
    for (auto& change : file.changes) {
      if (random() % 2 == 0) continue;
      if (change.bytes.size() > kSector && random() % 4 == 0) {
        change.bytes.resize(kSector * (1 + random() % (change.bytes.size() / kSector)));
      }
      apply(change, file.synced);
    }
    file.changes.clear();
    file.current = file.synced;
  }
}

void FailingDisk::put(State state) {
  for (const auto& [path, file] : state.files_) {
    std::ofstream(path, std::ios::binary) << file.current;
  }
  state_ = std::move(state);
  repair();
}

}  // namespace analytics::test
