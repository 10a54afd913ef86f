#include "daemon/admin/owner.h"

#include <grp.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <optional>

#include "common/io/fs.h"

namespace analytics::admin {

namespace {

struct User {
  uid_t id;
  gid_t group;
  std::string name;  ///< User name; the id as text if the user has no name.
};

/// Returns the owner of the database file or, if the file does not exist, of its folder. Returns
/// nullopt if the folder is missing too, or if any user may create files there, as in /tmp.
std::optional<User> owner_of(const std::filesystem::path& database) {
  struct stat info {};
  if (stat(database.c_str(), &info) != 0) {
    const auto folder =
        database.has_parent_path() ? database.parent_path() : std::filesystem::path(".");
    if (stat(folder.c_str(), &info) != 0) return std::nullopt;  // the caller will create the folder
    // Any user may create files in the folder.
    if ((info.st_mode & S_ISVTX) != 0) return std::nullopt;
  }
  const auto* entry = getpwuid(info.st_uid);
  if (entry == nullptr) return User{info.st_uid, info.st_gid, std::to_string(info.st_uid)};
  return User{info.st_uid, entry->pw_gid, entry->pw_name};
}

}  // namespace

Status check_owner(const std::filesystem::path& database) {
  const auto owner = owner_of(database);
  if (!owner || owner->id == geteuid()) return {};
  return fail(ErrorCode::kInvalidParameter,
              database.string() + " belongs to the user " + owner->name +
                  ": change its owner with chown, or start this as that user");
}

Status become_owner(const std::filesystem::path& database) {
  const auto owner = owner_of(database);
  if (!owner || owner->id == geteuid()) return {};
  if (geteuid() != 0) {
    return fail(ErrorCode::kInvalidParameter,
                database.string() + " belongs to the user " + owner->name + ": use sudo");
  }
  if (initgroups(owner->name.c_str(), owner->group) != 0 ||
      setresgid(owner->group, owner->group, owner->group) != 0 ||
      setresuid(owner->id, owner->id, owner->id) != 0) {
    return fail(ErrorCode::kInternal, "cannot become the user " + owner->name);
  }
  return {};
}

std::vector<std::filesystem::path> files_of(const std::filesystem::path& database) {
  return {database, database.string() + "-wal", database.string() + "-shm"};
}

Result<std::vector<std::string>> close_to_others(const std::filesystem::path& database) {
  std::vector<std::string> closed;
  for (const auto& file : files_of(database)) {
    const auto changed = TRY(make_private(file));
    if (changed) closed.push_back(file.string());
  }
  return closed;
}

}  // namespace analytics::admin
