#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "cli/replay/accounting.h"
#include "cli/replay/record.h"
#include "common/http_client.h"

namespace analytics::cli {

struct SenderConfig {
  HttpClientConfig http;
  std::string url;
  std::string api_key;    ///< Empty: none is sent.
  double per_second = 0;  ///< Records; 0: as fast as the server answers.
  int retries = 8;
  bool import_fields = false;  ///< The key may set timestamp, ip and user_agent.
  bool own_time = true;        ///< Send the records' own timestamps, where the key may.
};

/// Gets each record that was refused, with stage, code and message.
using OnReject = std::function<void(const Record&, std::string_view stage, const std::string& code,
                                    const std::string& message)>;

/// Sends records and counts what became of each. Memory is bounded by wants_more(). One thread.
class Sender {
 public:
  virtual ~Sender() = default;

  /// Counts a record, and queues it when it is an event.
  virtual void add(Record record) = 0;
  [[nodiscard]] virtual bool wants_more() const = 0;
  /// Sends what may be sent, takes answers, waits at most `wait`.
  virtual void poll(std::chrono::milliseconds wait) = 0;
  /// No more records come: what waits to be filled up goes out.
  virtual void end_of_input() = 0;
  /// No further sends; what is in flight is still answered.
  virtual void stop_sending() = 0;
  [[nodiscard]] virtual bool in_flight() const = 0;
  /// Whether all that was added has its answer.
  [[nodiscard]] virtual bool is_done() const = 0;

  [[nodiscard]] const Accounts& accounts() const { return accounts_; }
  [[nodiscard]] const Latencies& latencies() const { return latencies_; }
  /// Set when it makes no sense to go on: retries used up, or the key or path refused.
  [[nodiscard]] const std::optional<HttpReply>& fatal() const { return fatal_; }

 protected:
  explicit Sender(OnReject on_reject) : on_reject_(std::move(on_reject)) {}
  void reject(const Record& record, std::string_view stage, const std::string& code,
              const std::string& message) {
    ++accounts_.rejected;
    on_reject_(record, stage, code, message);
  }
  /// Counts a record that is no event. False for an event.
  bool count_other(const Record& record);

  Accounts accounts_;
  Latencies latencies_;
  std::optional<HttpReply> fatal_;

 private:
  OnReject on_reject_;
};

}  // namespace analytics::cli
