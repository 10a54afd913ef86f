#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "common/io/fs.h"

namespace analytics::test {

/// TCP proxy to a server on 127.0.0.1 that can drop a chosen request or reply.
class CuttingProxy {
 public:
  explicit CuttingProxy(std::uint16_t server);
  ~CuttingProxy();
  CuttingProxy(const CuttingProxy&) = delete;
  CuttingProxy& operator=(const CuttingProxy&) = delete;
  [[nodiscard]] std::uint16_t port() const { return port_; }

  enum class Loss {
    kRequest,  ///< The server does not receive the request.
    kReply,    ///< The server answers, but the client does not receive the reply.
  };
  /// Closes the connection of the next request with this text, and the `more` connections after it.
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
  std::string text_;  // text in the request to lose; guarded by mutex_, like the members below
  Loss loss_ = Loss::kRequest;
  int more_ = 0;     ///< Connections to close after the loss.
  int refused_ = 0;  ///< Connections that are still to be closed on arrival.
  std::vector<std::thread> threads_;
  std::thread acceptor_;
};

}  // namespace analytics::test
