#pragma once

#include <filesystem>
#include <functional>
#include <thread>

#include "common/fs.h"
#include "common/log.h"
#include "common/result.h"

namespace analytics::admin {

/// The operator's Unix socket `<db>.sock`, 0600: one line in, one line out, a connection each. A
/// thread of its own, which may wait for the writer.
class ControlSocket {
 public:
  using Answer = std::function<std::string(std::string_view line)>;

  /// Throws std::system_error. REQUIRES: the caller holds the database's lock.
  ControlSocket(const std::filesystem::path& database, Answer answer);
  ~ControlSocket();

 private:
  void run();
  void serve(const FileDescriptor& client);

  std::filesystem::path path_;
  Answer answer_;
  FileDescriptor listener_;
  FileDescriptor stop_;  ///< An eventfd: readable when the thread is to end.
  std::thread thread_;
};

/// Sends a line to the daemon that holds the database. Errors: kNotFound when none listens;
/// kInternal.
[[nodiscard]] Result<std::string> ask_daemon(const std::filesystem::path& database,
                                             std::string_view line);

}  // namespace analytics::admin
