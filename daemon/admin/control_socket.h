#pragma once

#include <filesystem>
#include <functional>
#include <thread>

#include "common/io/fs.h"
#include "common/io/log.h"
#include "common/run/result.h"

namespace analytics::admin {

/// Unix socket `<database>.sock`, mode 0600, through which commands such as `analyticsd keys` reach
/// the running daemon. Each client sends one line and gets one line back. Has its own thread,
/// because an answer may wait for the writer.
class ControlSocket {
 public:
  /// Runs the command in `line` and returns the line to reply.
  using Answer = std::function<std::string(std::string_view line)>;

  /// Creates the socket and starts the thread, which calls `answer`. Throws std::system_error.
  /// REQUIRES: the caller holds the database's lock.
  ControlSocket(const std::filesystem::path& database, Answer answer);
  ~ControlSocket();

 private:
  void run();
  void serve(const FileDescriptor& client);

  std::filesystem::path path_;
  Answer answer_;
  FileDescriptor listener_;
  FileDescriptor stop_;  ///< An eventfd that becomes readable when the thread must end.
  std::thread thread_;
};

/// Sends a line to the control socket of the daemon that has the database open, and returns its
/// reply. Errors: kNotFound if no daemon listens; kInternal if the daemon does not answer.
[[nodiscard]] Result<std::string> ask_daemon(const std::filesystem::path& database,
                                             std::string_view line);

}  // namespace analytics::admin
