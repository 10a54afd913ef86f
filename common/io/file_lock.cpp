#include "common/io/file_lock.h"

#include <cerrno>
#include <cstring>
#include <vector>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/text/text.h"

namespace analytics {

namespace {

/// Returns the id of the process that holds a flock on the file, from /proc/locks; "?" if unknown.
std::string holder_of(const FileDescriptor& file) {
  struct stat info {};
  const auto locks = read_file("/proc/locks");
  if (!locks || fstat(file.get(), &info) != 0) return "?";
  const auto inode = ":" + std::to_string(info.st_ino);
  for (const auto line : split(*locks, '\n')) {
    // A line has the form "1: FLOCK  ADVISORY  WRITE 123 fe:01:456 0 EOF".
    std::vector<std::string_view> words;
    for (const auto word : split(line, ' ')) {
      if (!word.empty()) words.push_back(word);
    }
    if (words.size() > 5 && words[1] == "FLOCK" && words[5].ends_with(inode)) {
      return std::string(words[4]);
    }
  }
  return "?";
}

tl::unexpected<Error> held(const std::filesystem::path& file, const std::string& pid) {
  return fail(ErrorCode::kOverloaded,
              file.string() + " is held by another process (pid " + pid + ")");
}

tl::unexpected<Error> failed(const std::string& path) {
  const auto* reason =
      errno == ELOOP ? "is a symbolic link, which is not followed" : std::strerror(errno);
  return fail(ErrorCode::kInternal, path + ": " + reason);
}

/// Returns the path of a file's lock file. Follows symbolic links, as SQLite does.
std::string lock_of(const std::filesystem::path& file) {
  std::error_code unknown;
  const auto real = std::filesystem::weakly_canonical(file, unknown);
  return (unknown ? file : real).string() + ".lock";
}

}  // namespace

Result<FileLock> FileLock::take(const std::filesystem::path& file) {
  const auto path = lock_of(file);
  FileDescriptor fd(open(path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!fd.valid()) return failed(path);
  (void)fchmod(fd.get(), 0600);
  if (flock(fd.get(), LOCK_EX | LOCK_NB) != 0) {
    const auto holder = read_file(path);
    return held(file, holder ? std::string(trim(*holder)) : "?");
  }
  const auto pid = std::to_string(getpid()) + "\n";
  if (ftruncate(fd.get(), 0) != 0 || pwrite(fd.get(), pid.data(), pid.size(), 0) < 0) {
    return failed(path);
  }
  return FileLock(std::move(fd));
}

Result<FileLock> FileLock::take_with_file(const std::filesystem::path& file) {
  auto lock = TRY(take(file));
  TRY(make_private_file(file));
  lock.file_ = FileDescriptor(open(file.c_str(), O_RDONLY | O_CLOEXEC));
  if (!lock.file_.valid()) return failed(file.string());
  // flock() does not interfere with the fcntl() locks of SQLite, except on network disks.
  if (is_network_disk(file.parent_path())) return lock;
  if (flock(lock.file_.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) return failed(file.string());
    return held(file, holder_of(lock.file_));
  }
  return lock;
}

Status FileLock::check_name(const std::filesystem::path& file) {
  const FileDescriptor opened(open(file.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat info {};
  if (!opened.valid() || fstat(opened.get(), &info) != 0) return failed(file.string());
  if (info.st_nlink < 2 || is_network_disk(file.parent_path())) return {};
  if (flock(opened.get(), LOCK_SH | LOCK_NB) == 0 || errno != EWOULDBLOCK) return {};
  const FileDescriptor named(open(lock_of(file).c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
  const bool is_by_this_name = named.valid() && flock(named.get(), LOCK_SH | LOCK_NB) != 0;
  if (is_by_this_name) return {};
  return held(file, holder_of(opened));
}

}  // namespace analytics
