#pragma once

#include <filesystem>
#include <functional>
#include <thread>

#include "common/io/fs.h"
#include "common/io/log.h"
#include "common/run/result.h"

namespace analytics::admin {

/// The operator's Unix socket `<db>.sock`, mode 0600. Each client sends a line and gets a line
/// back. Runs on its own thread, because an answer may wait for the writer.
class ControlSocket {
 public:
  using Answer = std::function<std::string(std::string_view line)>;

  /// Listens and starts the thread. Throws std::system_error. REQUIRES: the caller holds the
  /// database's lock.
  ControlSocket(const std::filesystem::path& database, Answer answer);
  ~ControlSocket();

 private:
  void run();
  void serve(const FileDescriptor& client);

  std::filesystem::path path_;
  Answer answer_;
  FileDescriptor listener_;
  FileDescriptor stop_;  ///< An eventfd, readable once the thread must end.
  std::thread thread_;
};

/// Sends a line to the daemon that has the database open, and returns its reply. Errors: kNotFound
/// if no daemon listens; kInternal if it does not answer.
[[nodiscard]] Result<std::string> ask_daemon(const std::filesystem::path& database,
                                             std::string_view line);

}  // namespace analytics::admin
