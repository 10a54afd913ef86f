#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "common/fs.h"

namespace analytics::test {

/// A server that takes what is posted to it, and answers as it was told.
class WebhookReceiver {
 public:
  /// The first requests get these answers, all others 200. "302 Found\r\nLocation: /x" is one.
  explicit WebhookReceiver(std::vector<std::string> answers = {});
  ~WebhookReceiver();
  WebhookReceiver(const WebhookReceiver&) = delete;
  WebhookReceiver& operator=(const WebhookReceiver&) = delete;

  /// "http://127.0.0.1:4711"
  [[nodiscard]] std::string url() const;
  /// Waits for the next request: its first line, a line break, and its body. Empty if none comes
  /// for minutes.
  std::string next();

 private:
  void run();

  FileDescriptor listener_;
  std::uint16_t port_ = 0;
  std::deque<std::string> answers_;  // on the thread alone
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::deque<std::string> requests_;  // guarded by mutex_
  std::thread thread_;
};

}  // namespace analytics::test
