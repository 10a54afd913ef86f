#include "daemon/admin/backup.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <set>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/run/secret.h"
#include "common/text/text.h"
#include "daemon/store/sqlite/file_copy.h"

namespace analytics::admin {
namespace {

namespace fs = std::filesystem;

tl::unexpected<Error> fail_errno(const fs::path& file) {
  return fail(ErrorCode::kInternal, file.string() + ": " + std::strerror(errno));
}

Result<Sha256> sha256_of(const FileDescriptor& file) {
  Sha256Sum sum;
  std::string buffer(std::size_t{1} << 20, '\0');
  for (off_t offset = 0;;) {
    const auto got = pread(file.get(), buffer.data(), buffer.size(), offset);
    if (got < 0) return fail(ErrorCode::kInternal, std::strerror(errno));
    if (got == 0) return sum.finish();
    sum.add(std::string_view(buffer).substr(0, static_cast<std::size_t>(got)));
    offset += got;
  }
}

/// Creates a temporary file without a name in the folder of `like`. The file disappears when it is
/// closed.
Result<FileDescriptor> nameless_file(const fs::path& like) {
  auto name = like.string() + ".backup-XXXXXX";
  FileDescriptor file(mkostemp(name.data(), O_CLOEXEC));
  if (!file.valid() || unlink(name.c_str()) != 0) return fail_errno(name);
  return file;
}

}  // namespace

Result<fs::path> backup_file(const fs::path& target, UnixSeconds now) {
  std::error_code unknown;
  const auto file = fs::is_directory(target, unknown) ? target / backup_name(now) : target;
  if (fs::exists(fs::symlink_status(file, unknown))) {
    return fail(ErrorCode::kInvalidParameter, file.string() + " exists; a backup replaces nothing");
  }
  return file;
}

Result<std::string> write_backup(const fs::path& database, const FileDescriptor& file,
                                 bool with_salts) {
  const auto info = TRY(sqlite::write_copy(database, file, with_salts));
  const auto sum = TRY(sha256_of(file));
  struct stat status {};
  if (fstat(file.get(), &status) != 0) return fail_errno("the backup");
  return "bytes " + std::to_string(status.st_size) + "\nevents " + std::to_string(info.events) +
         "\nschema " + std::to_string(info.schema) + "\nsha256 " + to_hex(sum) + "\n";
}

Result<std::string> stream_backup(const fs::path& database, bool with_salts) {
  std::error_code unknown;
  const auto room = fs::space(fs::absolute(database).parent_path(), unknown).available;
  const auto size = fs::file_size(database, unknown);
  if (!unknown && room / 2 < size) {
    return fail(ErrorCode::kOverloaded,
                "there is no room for a copy beside the database: name a file on another disk");
  }
  const auto file = TRY(nameless_file(database));
  auto written = TRY(write_backup(database, file, with_salts));
  if (lseek(file.get(), 0, SEEK_SET) != 0) return fail_errno("the backup");
  const FileDescriptor out(dup(STDOUT_FILENO));
  TRY(copy_all(file, out));
  return written;
}

Result<std::string> rotate_backups(const fs::path& folder, const Rotation& rotation) {
  std::set<std::string> names;
  std::error_code failed;
  for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed)) {
    names.insert(at->path().filename().string());
  }
  if (failed) return fail(ErrorCode::kInternal, folder.string() + ": " + failed.message());
  std::string lines;
  for (const auto& name : outdated(rotation, names)) {
    fs::remove(folder / name, failed);
    if (failed)
      return fail(ErrorCode::kInternal, (folder / name).string() + ": " + failed.message());
    lines += "removed " + (folder / name).string() + "\n";
  }
  return lines;
}

}  // namespace analytics::admin
