#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/replay/send/rate_limiter.h"
#include "cli/replay/send/sender.h"

namespace analytics::cli {

struct SingleSenderConfig {
  SenderConfig sender;
  std::size_t lanes = 16;   ///< Maximum number of requests in flight.
  bool idempotent = false;  ///< True if the server understands Idempotency-Key.
};

/// Sends one event per request, many requests at a time. Each lane is a connection with a queue;
/// all events of a visitor use the same lane, which keeps their order.
class SingleSender final : public Sender {
 public:
  SingleSender(SingleSenderConfig config, SendObserver& observer);

  void add(Record record) override;
  [[nodiscard]] bool wants_more() const override {
    return accounts_.pending < kMaxPending && pending_bytes_ < kMaxPendingBytes;
  }
  void poll(std::chrono::milliseconds wait) override;
  void wake() override { http_.wake(); }
  void end_of_input() override {}
  void stop_sending() override { sending_ = false; }
  [[nodiscard]] bool in_flight() const override { return http_.busy() > 0; }
  [[nodiscard]] bool is_done() const override { return accounts_.pending == 0; }

 private:
  using Clock = std::chrono::steady_clock;
  struct Lane {
    std::deque<Record> queue;  ///< Records to send; the first is in flight or waits for a retry.
    int attempt = 0;           ///< Number of failed attempts to send the first record.
    Clock::time_point not_before{};  ///< Earliest time of the next attempt.
  };
  static constexpr std::uint64_t kMaxPending = 4'096;
  static constexpr std::size_t kMaxPendingBytes = 8'388'608;

  void start_lane(std::size_t index);
  HttpRequest to_request(const Record& record) const;
  void take_answer(std::size_t index, HttpReply reply);
  void try_again(std::size_t index, HttpReply reply);
  void next(Lane& lane);

  const SingleSenderConfig config_;
  HttpLanes http_;
  RateLimiter limiter_;
  std::vector<Lane> lanes_;
  std::size_t pending_bytes_ = 0;
  Clock::time_point paused_until_{};  ///< No lane sends before this time, after a 429 or 503.
  bool sending_ = true;
};

}  // namespace analytics::cli
