#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/replay/accounting.h"
#include "cli/replay/rate_limiter.h"
#include "cli/replay/record.h"
#include "common/http_client.h"

namespace analytics::cli {

struct EngineConfig {
  HttpClientConfig http;
  std::string url;
  std::string api_key;  ///< Empty: none is sent.
  std::size_t lanes = 16;
  double per_second = 0;  ///< 0: as fast as the server answers.
  int retries = 8;
  bool import_fields = false;  ///< The key may set timestamp, ip and user_agent.
  bool own_time = true;        ///< Send the records' own timestamps, where the key may.
  bool idempotent = false;     ///< The server knows Idempotency-Key.
};

/// Sends events one by one, many at a time. Events of one visitor go through one lane, and so keep
/// their order. Memory is bounded by wants_more(). One thread.
class Engine {
 public:
  /// Gets each record that was refused, with stage, code and message.
  using OnReject = std::function<void(const Record&, std::string_view stage,
                                      const std::string& code, const std::string& message)>;
  Engine(EngineConfig config, OnReject on_reject);

  /// Counts a record, and queues it when it is an event.
  void add(Record record);
  [[nodiscard]] bool wants_more() const {
    return accounts_.pending < kMaxPending && pending_bytes_ < kMaxPendingBytes;
  }
  /// Sends what may be sent, takes answers, waits at most `wait`.
  void poll(std::chrono::milliseconds wait);
  /// No further sends; what is in flight is still answered.
  void stop_sending() { sending_ = false; }
  [[nodiscard]] bool in_flight() const { return http_.busy() > 0; }

  [[nodiscard]] const Accounts& accounts() const { return accounts_; }
  [[nodiscard]] const Latencies& latencies() const { return latencies_; }
  /// Set when it makes no sense to go on: retries used up, or the key or path refused.
  [[nodiscard]] const std::optional<HttpReply>& fatal() const { return fatal_; }

 private:
  using Clock = std::chrono::steady_clock;
  struct Lane {
    std::deque<Record> queue;  ///< The front one is in flight or waits for another attempt.
    int attempt = 0;
    Clock::time_point not_before{};
  };
  static constexpr std::uint64_t kMaxPending = 4'096;
  static constexpr std::size_t kMaxPendingBytes = 8'388'608;

  void start_lane(std::size_t index);
  HttpRequest to_request(const Record& record) const;
  void take_answer(std::size_t index, HttpReply reply);
  void try_again(std::size_t index, HttpReply reply);
  void finish_front(Lane& lane);
  void reject(const Record& record, std::string_view stage, const std::string& code,
              const std::string& message);

  const EngineConfig config_;
  OnReject on_reject_;
  HttpLanes http_;
  RateLimiter limiter_;
  std::vector<Lane> lanes_;
  Accounts accounts_;
  std::size_t pending_bytes_ = 0;
  Latencies latencies_;
  Clock::time_point paused_until_{};  ///< A 429 or 503 pauses all lanes.
  bool sending_ = true;
  std::optional<HttpReply> fatal_;
};

}  // namespace analytics::cli
