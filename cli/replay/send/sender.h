#pragma once

#include <chrono>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "cli/replay/formats/record.h"
#include "cli/replay/progress/accounting.h"
#include "cli/replay/progress/byte_ranges.h"
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
  bool dedupe_ids = false;     ///< A record with an id of its own is stored once.
};

/// Says if a later run must send the record again: its site may exist by then.
enum class Settled { kForGood, kForThisRun };

/// Learns what becomes of records.
class SendObserver {
 public:
  virtual ~SendObserver() = default;
  virtual void settled(const Record& record, RecordFate fate, std::string_view reason,
                       Settled end) = 0;
  /// Before settled(): why it is refused.
  virtual void rejected(const Record& record, std::string_view stage, const std::string& code,
                        const std::string& message) = 0;
  /// The server has taken in these bytes of the source in one batch.
  virtual void held(const std::string& source, ByteRange range,
                    const std::set<std::string>& sites) = 0;
};

/// Sends records and counts what became of each. Memory is bounded by wants_more(). One thread.
class Sender {
 public:
  virtual ~Sender() = default;

  /// Counts a record, and queues it when it is an event.
  virtual void add(Record record) = 0;
  [[nodiscard]] virtual bool wants_more() const = 0;
  /// Sends what may be sent, takes answers, waits at most `wait`.
  virtual void poll(std::chrono::milliseconds wait) = 0;
  /// Any thread: ends a poll() that waits.
  virtual void wake() = 0;
  /// No more records come: what waits to be filled up goes out.
  virtual void end_of_input() = 0;
  /// No further sends; what is in flight is still answered.
  virtual void stop_sending() = 0;
  [[nodiscard]] virtual bool in_flight() const = 0;
  /// True if every added record has its outcome.
  [[nodiscard]] virtual bool is_done() const = 0;

  [[nodiscard]] const Accounts& accounts() const { return accounts_; }
  [[nodiscard]] const Latencies& latencies() const { return latencies_; }
  /// Set when it makes no sense to go on: retries used up, or the key or path refused.
  [[nodiscard]] const std::optional<HttpReply>& fatal() const { return fatal_; }
  /// True if a request may have reached a server that cannot recognise a repetition.
  [[nodiscard]] bool may_have_lost() const { return may_have_lost_; }
  /// Why the last request is to be sent again, until one has gone through; else empty.
  [[nodiscard]] const std::string& pause() const { return pause_; }

 protected:
  explicit Sender(SendObserver& observer) : observer_(observer) {}
  void reject(const Record& record, std::string_view stage, const std::string& code,
              const std::string& message, Settled end = Settled::kForGood);
  /// A record that was pending has its outcome.
  void settle(const Record& record, RecordFate fate, std::string_view reason = {},
              Settled end = Settled::kForGood);
  /// The body that says what the event says, as far as the server may know.
  [[nodiscard]] static std::string body_of(const Record& record, const SenderConfig& config);
  /// Counts a record: one that is no event is settled at once. False for an event.
  bool count_other(const Record& record);

  Accounts accounts_;
  Latencies latencies_;
  void note_pause(const HttpReply& reply);

  std::optional<HttpReply> fatal_;
  std::string pause_;
  bool may_have_lost_ = false;
  SendObserver& observer_;
};

}  // namespace analytics::cli
