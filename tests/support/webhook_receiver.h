#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "common/io/fs.h"

namespace analytics::test {

/// An HTTP server that records the requests it receives, and answers them as the test has chosen.
class WebhookReceiver {
 public:
  /// Answers the first requests with `answers`, such as "302 Found\r\nLocation: /x", and all others
  /// with 200.
  explicit WebhookReceiver(std::vector<std::string> answers = {});
  ~WebhookReceiver();
  WebhookReceiver(const WebhookReceiver&) = delete;
  WebhookReceiver& operator=(const WebhookReceiver&) = delete;

  /// Returns the URL, such as "http://127.0.0.1:4711".
  [[nodiscard]] std::string url() const;
  /// Waits for the next request. Returns its first line, a line break and its body; empty if none
  /// comes within 4 minutes.
  std::string next();

 private:
  void run();

  FileDescriptor listener_;
  std::uint16_t port_ = 0;
  // Answers to the next requests. Only the thread uses them.
  std::deque<std::string> answers_;
  std::mutex mutex_;
  std::condition_variable arrived_;
  // Received requests that next() has not returned; guarded by mutex_.
  std::deque<std::string> requests_;
  std::thread thread_;
};

}  // namespace analytics::test
