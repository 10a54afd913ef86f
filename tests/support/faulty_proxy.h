#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "common/io/fs.h"

namespace analytics::test {

/// An HTTP proxy in front of a server that imitates failures of networks and of busy servers.
class FaultyProxy {
 public:
  enum class Fault {
    kNone,
    kLoseReply,    ///< The server handles the request, but the client gets no reply.
    kLoseRequest,  ///< The server does not receive the request.
    kRefuse429,
    kRefuse503,
    kSlow,
  };
  /// Chooses the fault for a request. Called from any thread.
  using Choose = std::function<Fault(std::string_view method, std::string_view path)>;

  FaultyProxy(std::string server, Choose choose);
  ~FaultyProxy();
  FaultyProxy(const FaultyProxy&) = delete;
  FaultyProxy& operator=(const FaultyProxy&) = delete;

  [[nodiscard]] std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }
  [[nodiscard]] int faults() const { return faults_; }
  /// Sets the URL of the server to which requests are forwarded.
  void set_server(const std::string& server) {
    const std::scoped_lock lock(mutex_);
    server_ = server;
  }

 private:
  void accept();
  void serve(const FileDescriptor& client);
  bool pass_on(const FileDescriptor& client, std::string_view head, std::string body);

  const Choose choose_;
  FileDescriptor listener_;
  std::uint16_t port_ = 0;
  std::atomic<int> faults_{0};
  std::atomic<bool> stopping_{false};
  std::mutex mutex_;
  std::string server_;                // URL of the server; guarded by mutex_
  std::vector<std::thread> threads_;  // one thread per connection; guarded by mutex_
  std::vector<int> clients_;          // descriptors of open connections; guarded by mutex_
  std::thread acceptor_;
};

}  // namespace analytics::test
