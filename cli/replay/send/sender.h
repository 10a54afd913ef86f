#pragma once

#include <chrono>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "cli/replay/formats/record.h"
#include "cli/replay/progress/accounting.h"
#include "cli/replay/progress/byte_ranges.h"
#include "common/io/http_client.h"

namespace analytics::cli {

struct SenderConfig {
  HttpClientConfig http;
  std::string url;
  std::string api_key;    ///< Not sent if empty.
  double per_second = 0;  ///< Maximum records per second; 0 means as fast as the server replies.
  int retries = 8;
  bool import_fields = false;  ///< True if the key may set timestamp, ip and user_agent.
  bool own_time = true;        ///< True to send the records' own timestamps, if the key may.
  bool dedupe_ids = false;     ///< True to store records with the same id only once.
};

/// Says whether a later run must send the record again, because its site may exist by then.
enum class Settled { kForGood, kForThisRun };

/// Receives the outcomes of records.
class SendObserver {
 public:
  virtual ~SendObserver() = default;
  virtual void settled(const Record& record, RecordFate fate, std::string_view reason,
                       Settled end) = 0;
  /// Called before settled() with the reason why a record is rejected.
  virtual void rejected(const Record& record, std::string_view stage, const std::string& code,
                        const std::string& message) = 0;
  /// Called if the server has stored these bytes of the source as a single batch.
  virtual void held(const std::string& source, ByteRange range,
                    const std::set<std::string>& sites) = 0;
};

/// Sends records and counts the outcome of each. wants_more() bounds the memory. Not thread-safe,
/// except for wake().
class Sender {
 public:
  virtual ~Sender() = default;

  /// Counts a record, and queues it if it is an event.
  virtual void add(Record record) = 0;
  [[nodiscard]] virtual bool wants_more() const = 0;
  /// Sends due requests and handles replies; waits at most `wait`.
  virtual void poll(std::chrono::milliseconds wait) = 0;
  /// Ends a waiting poll(). May be called from any thread.
  virtual void wake() = 0;
  /// Sends incomplete batches, because no more records come.
  virtual void end_of_input() = 0;
  /// Sends no more requests; replies to those in flight are still handled.
  virtual void stop_sending() = 0;
  [[nodiscard]] virtual bool in_flight() const = 0;
  /// Returns true if every added record has its outcome.
  [[nodiscard]] virtual bool is_done() const = 0;

  [[nodiscard]] const Accounts& accounts() const { return accounts_; }
  [[nodiscard]] const Latencies& latencies() const { return latencies_; }
  /// Returns the reply that makes further requests pointless: retries are used up, or the key or
  /// path was refused.
  [[nodiscard]] const std::optional<HttpReply>& fatal() const { return fatal_; }
  /// Returns true if a request may have reached a server that cannot recognise a repetition.
  [[nodiscard]] bool may_have_lost() const { return may_have_lost_; }
  /// Returns why the last request is being repeated, until one succeeds; otherwise empty.
  [[nodiscard]] const std::string& pause() const { return pause_; }

 protected:
  explicit Sender(SendObserver& observer) : observer_(observer) {}
  void reject(const Record& record, std::string_view stage, const std::string& code,
              const std::string& message, Settled end = Settled::kForGood);
  /// Sets the outcome of a pending record.
  void settle(const Record& record, RecordFate fate, std::string_view reason = {},
              Settled end = Settled::kForGood);
  /// Returns the body for an event, limited to the fields that the server accepts.
  [[nodiscard]] static std::string body_of(const Record& record, const SenderConfig& config);
  /// Counts a record and settles it at once if it is not an event. Returns false for an event.
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
