#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "common/run/result.h"

/// Creates the program's own files: private regardless of the umask, and written whole or not at
/// all.
namespace analytics {

/// Owns a file descriptor and closes it.
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

/// A newly created file with mode 0600. The destructor removes it unless write() or rename()
/// succeeded.
class NewFile {
 public:
  /// Creates the file. Errors: kInternal, also if the name exists.
  [[nodiscard]] static Result<NewFile> create(const std::filesystem::path& path);
  ~NewFile();
  NewFile(NewFile&& other) noexcept = default;
  NewFile& operator=(NewFile&&) = delete;

  /// Writes and syncs the text, and keeps the file. Call it once.
  [[nodiscard]] Status write(std::string_view text);
  /// Returns the descriptor, open for reading and writing.
  [[nodiscard]] const FileDescriptor& descriptor() const { return fd_; }
  /// Syncs the file and renames it within its folder; the change is atomic and survives a crash.
  /// With `may_replace`, replaces an existing file of that name. Call it once. Errors: kInternal.
  [[nodiscard]] Status rename(const std::filesystem::path& name, bool may_replace);

 private:
  NewFile(std::filesystem::path path, FileDescriptor fd)
      : path_(std::move(path)), fd_(std::move(fd)) {}
  std::filesystem::path path_;
  /// Descriptor of the file. Invalid after write() or rename() has succeeded; the destructor then
  /// leaves the file in place.
  FileDescriptor fd_;
};

/// Writes the whole text. Errors: kInternal, without a file name.
[[nodiscard]] Status write_all(const FileDescriptor& file, std::string_view text);

/// Copies one file from its current position to its end into another. Errors: kInternal, without
/// file names.
[[nodiscard]] Status copy_all(const FileDescriptor& from, const FileDescriptor& to);

/// Syncs the folder that contains the file, so that the file's name survives a crash. Errors:
/// kInternal.
[[nodiscard]] Status sync_folder_of(const std::filesystem::path& file);

/// Creates the directory and its missing parents as 0700. Leaves an existing directory unchanged.
[[nodiscard]] Status make_private_directory(const std::filesystem::path& directory);

/// Creates the file as 0600 if it does not exist.
[[nodiscard]] Status make_private_file(const std::filesystem::path& file);

/// Removes all rights of other users from an existing file. Returns true if they had any. Errors:
/// kInternal.
[[nodiscard]] Result<bool> make_private(const std::filesystem::path& file);

/// Replaces the file with one of mode 0600 that contains the text. A crash during the call leaves
/// the old file or the new one; after the call, always the new one. Errors: kInternal.
[[nodiscard]] Status replace_file(const std::filesystem::path& file, std::string_view text);

/// Returns true if the folder is on a network file system (NFS, SMB, AFS, Ceph, 9p).
[[nodiscard]] bool is_network_disk(const std::filesystem::path& folder);

/// Returns the file's content. Errors: kNotFound, kInternal; the message names the file and the
/// reason.
[[nodiscard]] Result<std::string> read_file(const std::filesystem::path& file);

/// Returns `$variable/rest` if the variable is an absolute path, else `~/fallback/rest`.
[[nodiscard]] std::filesystem::path xdg_path(const char* variable,
                                             const std::filesystem::path& fallback,
                                             const std::filesystem::path& rest);

}  // namespace analytics
