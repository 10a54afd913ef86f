#include "daemon/admin/file_lock.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <pwd.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/text.h"

namespace analytics::admin {

Result<FileLock> FileLock::take(const std::filesystem::path& database) {
  const auto path = database.string() + ".lock";
  FileDescriptor fd(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (!fd.valid()) return fail(ErrorCode::kInternal, path + ": " + std::strerror(errno));
  (void)fchmod(fd.get(), 0600);
  if (flock(fd.get(), LOCK_EX | LOCK_NB) != 0) {
    const auto holder = read_file(path);
    const auto pid = holder ? std::string(trim(*holder)) : std::string("?");
    return fail(ErrorCode::kOverloaded,
                database.string() + " is held by another process (pid " + pid + ")");
  }
  const auto pid = std::to_string(getpid()) + "\n";
  if (ftruncate(fd.get(), 0) != 0 || pwrite(fd.get(), pid.data(), pid.size(), 0) < 0) {
    return fail(ErrorCode::kInternal, path + ": " + std::strerror(errno));
  }
  return FileLock(std::move(fd));
}

Status check_owner(const std::filesystem::path& database) {
  struct stat info {};
  if (stat(database.c_str(), &info) != 0) {
    const auto folder =
        database.has_parent_path() ? database.parent_path() : std::filesystem::path(".");
    if (stat(folder.c_str(), &info) != 0) return {};  // it is about to be made, by us
    if ((info.st_mode & S_ISVTX) != 0) return {};     // a folder for everybody, such as /tmp
  }
  if (info.st_uid == geteuid()) return {};
  const auto* owner = getpwuid(info.st_uid);
  const auto name = owner == nullptr ? std::to_string(info.st_uid) : std::string(owner->pw_name);
  return fail(ErrorCode::kInvalidParameter,
              database.string() + " belongs to the user " + name + ": run this as " + name);
}

}  // namespace analytics::admin
