#include "common/io/fs.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

namespace analytics {
namespace {

tl::unexpected<Error> fail_errno(const std::filesystem::path& path) {
  const auto code = errno == ENOENT ? ErrorCode::kNotFound : ErrorCode::kInternal;
  return fail(code, path.string() + ": " + std::strerror(errno));
}

}  // namespace

Status make_private_directory(const std::filesystem::path& directory) {
  if (directory.empty()) return {};
  struct stat info {};
  if (stat(directory.c_str(), &info) == 0) {
    if (S_ISDIR(info.st_mode)) return {};
    return fail(ErrorCode::kInternal, directory.string() + ": not a directory");
  }
  if (directory.has_parent_path() && directory.parent_path() != directory) {
    TRY(make_private_directory(directory.parent_path()));
  }
  if (mkdir(directory.c_str(), 0700) != 0 && errno != EEXIST) return fail_errno(directory);
  return {};
}

Status make_private_file(const std::filesystem::path& file) {
  const FileDescriptor fd(open(file.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!fd.valid()) {
    if (errno == EEXIST) return {};
    return fail_errno(file);
  }
  if (fchmod(fd.get(), 0600) != 0) return fail_errno(file);
  return {};
}

Result<NewFile> NewFile::create(const std::filesystem::path& path) {
  FileDescriptor fd(open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!fd.valid() || fchmod(fd.get(), 0600) != 0) {
    return fail(ErrorCode::kInternal, path.string() + ": " + std::strerror(errno));
  }
  return NewFile(path, std::move(fd));
}

NewFile::~NewFile() {
  if (fd_.valid()) unlink(path_.c_str());
}

Status NewFile::write(std::string_view text) {
  if (auto written = write_all(fd_, text); !written) {
    return fail(ErrorCode::kInternal, path_.string() + ": " + written.error().message);
  }
  if (fsync(fd_.get()) != 0) return fail_errno(path_);
  (void)close(fd_.release());
  return {};
}

Status NewFile::rename(const std::filesystem::path& name, bool may_replace) {
  if (fsync(fd_.get()) != 0) return fail_errno(path_);
  auto renamed = renameat2(AT_FDCWD, path_.c_str(), AT_FDCWD, name.c_str(),
                           may_replace ? 0 : RENAME_NOREPLACE);
  if (renamed != 0 && errno == EINVAL) {  // file systems such as NFS lack RENAME_NOREPLACE
    struct stat info {};
    if (lstat(name.c_str(), &info) == 0)
      return fail(ErrorCode::kInternal, name.string() + " exists");
    renamed = ::rename(path_.c_str(), name.c_str());
  }
  if (renamed != 0) return fail_errno(name);
  (void)close(fd_.release());
  return sync_folder_of(name);
}

Result<bool> make_private(const std::filesystem::path& file) {
  struct stat info {};
  if (lstat(file.c_str(), &info) != 0) {
    if (errno == ENOENT) return false;
    return fail_errno(file);
  }
  constexpr mode_t kOthers = S_IRWXG | S_IRWXO;
  if (!S_ISREG(info.st_mode) || (info.st_mode & kOthers) == 0) return false;
  if (chmod(file.c_str(), info.st_mode & ~kOthers & 07777U) != 0) return fail_errno(file);
  return true;
}

Status write_all(const FileDescriptor& file, std::string_view text) {
  while (!text.empty()) {
    const auto written = write(file.get(), text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return fail(ErrorCode::kInternal, std::strerror(errno));
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

Status copy_all(const FileDescriptor& from, const FileDescriptor& to) {
  std::string buffer(std::size_t{1} << 20, '\0');
  while (true) {
    const auto got = read(from.get(), buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return fail(ErrorCode::kInternal, std::strerror(errno));
    if (got == 0) return {};
    TRY(write_all(to, std::string_view(buffer).substr(0, static_cast<std::size_t>(got))));
  }
}

Status replace_file(const std::filesystem::path& file, std::string_view text) {
  auto fresh = file;
  fresh += ".new";
  const auto undo = [&](tl::unexpected<Error> error) -> Status {
    unlink(fresh.c_str());
    return error;
  };
  // A crash may have left this file. unlink() does not follow a symbolic link that another user may
  // have created.
  if (unlink(fresh.c_str()) != 0 && errno != ENOENT) return fail_errno(fresh);
  FileDescriptor fd(
      open(fresh.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!fd.valid()) return fail_errno(fresh);
  if (fchmod(fd.get(), 0600) != 0) return undo(fail_errno(fresh));
  if (const auto written = write_all(fd, text); !written) {
    return undo(fail(ErrorCode::kInternal, fresh.string() + ": " + written.error().message));
  }
  if (fsync(fd.get()) != 0 || close(fd.release()) != 0) return undo(fail_errno(fresh));
  if (rename(fresh.c_str(), file.c_str()) != 0) return undo(fail_errno(file));
  return sync_folder_of(file);
}

Status sync_folder_of(const std::filesystem::path& file) {
  const auto folder = file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
  const FileDescriptor directory(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!directory.valid() || fsync(directory.get()) != 0) return fail_errno(folder);
  return {};
}

bool is_network_disk(const std::filesystem::path& folder) {
  // Magic numbers from statfs(2).
  constexpr std::uint32_t kNetworkTypes[] = {0x6969,     0x517B,     0xFF534D42, 0xFE534D42,
                                             0x5346414F, 0x00C36400, 0x01021997};
  struct statfs info {};
  if (statfs(folder.c_str(), &info) != 0) return false;
  const auto type = static_cast<std::uint32_t>(info.f_type);
  return std::find(std::begin(kNetworkTypes), std::end(kNetworkTypes), type) !=
         std::end(kNetworkTypes);
}

Result<std::string> read_file(const std::filesystem::path& file) {
  const FileDescriptor fd(open(file.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd.valid()) return fail_errno(file);
  std::string text;
  char buffer[65'536];
  while (true) {
    const auto got = read(fd.get(), buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return fail_errno(file);
    if (got == 0) return text;
    text.append(buffer, static_cast<std::size_t>(got));
  }
}

std::filesystem::path xdg_path(const char* variable, const std::filesystem::path& fallback,
                               const std::filesystem::path& rest) {
  const char* base = std::getenv(variable);
  if (base != nullptr && *base == '/') return std::filesystem::path(base) / rest;
  const char* home = std::getenv("HOME");
  return std::filesystem::path(home == nullptr ? "/" : home) / fallback / rest;
}

FileDescriptor::~FileDescriptor() {
  if (fd_ >= 0) close(fd_);
}

FileDescriptor& FileDescriptor::operator=(FileDescriptor&& other) noexcept {
  if (this != &other) {
    if (fd_ >= 0) close(fd_);
    fd_ = other.release();
  }
  return *this;
}

int FileDescriptor::release() { return std::exchange(fd_, -1); }

}  // namespace analytics
