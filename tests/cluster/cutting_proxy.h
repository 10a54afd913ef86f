#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "common/fs.h"

namespace analytics::test {

/// Passes bytes to a server of 127.0.0.1 and back, until it is told to lose some.
class CuttingProxy {
 public:
  explicit CuttingProxy(std::uint16_t server);
  ~CuttingProxy();
  CuttingProxy(const CuttingProxy&) = delete;
  CuttingProxy& operator=(const CuttingProxy&) = delete;
  [[nodiscard]] std::uint16_t port() const { return port_; }

  enum class Loss {
    kRequest,  ///< The server has not seen it.
    kReply,    ///< The server has answered, and the client does not learn what.
  };
  /// Closes the connection on which a client next sends that text, and so many that come after it.
  void lose_next(const std::string& text, Loss loss, int more = 0);
  [[nodiscard]] int losses() const { return losses_; }

 private:
  void accept();
  void serve(const FileDescriptor& client);
  [[nodiscard]] bool pass(int from, int to, bool is_request);

  const std::uint16_t server_;
  FileDescriptor listener_;
  std::uint16_t port_ = 0;
  std::atomic<bool> is_stopping_{false};
  std::atomic<int> losses_{0};
  std::mutex mutex_;
  std::string text_;  // guarded by mutex_, as what follows
  Loss loss_ = Loss::kRequest;
  int more_ = 0;     ///< Connections that are lost after it.
  int refused_ = 0;  ///< That are still to be closed at once.
  std::vector<std::thread> threads_;
  std::thread acceptor_;
};

}  // namespace analytics::test
