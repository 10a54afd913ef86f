#include "daemon/admin/owner.h"

#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/fs.h"

namespace analytics::admin {

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

Result<std::vector<std::string>> close_to_others(const std::filesystem::path& database) {
  std::vector<std::string> closed;
  for (const auto* suffix : {"", "-wal", "-shm"}) {
    const auto file = database.string() + suffix;
    const auto changed = make_private(file);
    if (!changed) return fail(changed.error());
    if (*changed) closed.push_back(file);
  }
  return closed;
}

}  // namespace analytics::admin
