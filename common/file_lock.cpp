#include "common/file_lock.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/text.h"

namespace analytics {

Result<FileLock> FileLock::take(const std::filesystem::path& file) {
  const auto path = file.string() + ".lock";
  FileDescriptor fd(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (!fd.valid()) return fail(ErrorCode::kInternal, path + ": " + std::strerror(errno));
  (void)fchmod(fd.get(), 0600);
  if (flock(fd.get(), LOCK_EX | LOCK_NB) != 0) {
    const auto holder = read_file(path);
    const auto pid = holder ? std::string(trim(*holder)) : std::string("?");
    return fail(ErrorCode::kOverloaded,
                file.string() + " is held by another process (pid " + pid + ")");
  }
  const auto pid = std::to_string(getpid()) + "\n";
  if (ftruncate(fd.get(), 0) != 0 || pwrite(fd.get(), pid.data(), pid.size(), 0) < 0) {
    return fail(ErrorCode::kInternal, path + ": " + std::strerror(errno));
  }
  return FileLock(std::move(fd));
}

}  // namespace analytics
