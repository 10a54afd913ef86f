#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "common/result.h"

/// Files of our own: private whatever the umask says, and written whole or not at all.
namespace analytics {

/// A file descriptor that is closed when it goes.
class FileDescriptor {
 public:
  explicit FileDescriptor(int fd = -1) : fd_(fd) {}
  ~FileDescriptor();
  FileDescriptor(FileDescriptor&& other) noexcept : fd_(other.release()) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept;

  [[nodiscard]] int get() const { return fd_; }
  [[nodiscard]] bool valid() const { return fd_ >= 0; }
  int release();

 private:
  int fd_;
};

/// A file that did not exist, as 0600. It is removed again unless write() or rename() succeeds.
class NewFile {
 public:
  /// Errors: kInternal, also when there is something of that name.
  [[nodiscard]] static Result<NewFile> create(const std::filesystem::path& path);
  ~NewFile();
  NewFile(NewFile&& other) noexcept = default;
  NewFile& operator=(NewFile&&) = delete;

  /// Writes all of the text, synced, and keeps the file. Once.
  [[nodiscard]] Status write(std::string_view text);
  /// To read and write it.
  [[nodiscard]] const FileDescriptor& descriptor() const { return fd_; }
  /// Syncs the file and gives it another name in the same folder, in one step; it is there after a
  /// crash, too. `may_replace`: in place of what has the name. Once. Errors: kInternal.
  [[nodiscard]] Status rename(const std::filesystem::path& name, bool may_replace);

 private:
  NewFile(std::filesystem::path path, FileDescriptor fd)
      : path_(std::move(path)), fd_(std::move(fd)) {}
  std::filesystem::path path_;
  FileDescriptor fd_;  ///< Invalid once the file is to stay.
};

/// Writes all of it. Errors: kInternal, without a name.
[[nodiscard]] Status write_all(const FileDescriptor& file, std::string_view text);

/// Writes everything from here to the end of a file into another. Errors: kInternal, without names.
[[nodiscard]] Status copy_all(const FileDescriptor& from, const FileDescriptor& to);

/// Syncs the names of a folder. Errors: kInternal.
[[nodiscard]] Status sync_folder_of(const std::filesystem::path& file);

/// The directory, and those above it that are missing, as 0700. An existing one is left as it is.
[[nodiscard]] Status make_private_directory(const std::filesystem::path& directory);

/// Creates the file as 0600 when it does not exist.
[[nodiscard]] Status make_private_file(const std::filesystem::path& file);

/// Takes all rights of others from a file that is there. True when they had some. Errors:
/// kInternal.
[[nodiscard]] Result<bool> make_private(const std::filesystem::path& file);

/// Puts the text in place of the file, as 0600: after a crash there is the old file or the new one,
/// and the new one when this has returned. Errors: kInternal.
[[nodiscard]] Status replace_file(const std::filesystem::path& file, std::string_view text);

/// True if the folder is on a network file system (NFS, SMB, AFS, Ceph, 9p).
[[nodiscard]] bool is_network_disk(const std::filesystem::path& folder);

/// Errors: kNotFound, kInternal; the message names the file and the reason.
[[nodiscard]] Result<std::string> read_file(const std::filesystem::path& file);

/// `$variable/rest`, else `~/fallback/rest`.
[[nodiscard]] std::filesystem::path xdg_path(const char* variable,
                                             const std::filesystem::path& fallback,
                                             const std::filesystem::path& rest);

}  // namespace analytics
