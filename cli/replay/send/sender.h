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
  std::string url;             ///< URL of the server.
  std::string api_key;         ///< API key; empty to send none.
  double per_second = 0;       ///< Maximum number of records per second; 0 for no limit.
  int retries = 8;             ///< Maximum number of repetitions of a failed request.
  bool import_fields = false;  ///< True if the key may set timestamp, ip and other import fields.
  bool own_time = true;     ///< True to send the records' own timestamps, if the key may set them.
  bool dedupe_ids = false;  ///< True to store records with the same id only once.
};

/// Tells whether a record's outcome is final. kForThisRun: a later run must read the record again,
/// because its site may exist by then, or its incomplete line may have grown.
enum class Settled { kForGood, kForThisRun };

/// Receives the outcomes of records from a sender.
class SendObserver {
 public:
  virtual ~SendObserver() = default;
  /// Called once for each record when its outcome is known. `reason` is the drop reason; empty for
  /// other outcomes.
  virtual void settled(const Record& record, RecordFate fate, std::string_view reason,
                       Settled end) = 0;
  /// Called for a rejected record before settled(). `stage` is "parse" or "send"; `code` and
  /// `message` are the reason.
  virtual void rejected(const Record& record, std::string_view stage, const std::string& code,
                        const std::string& message) = 0;
  /// Called when the server has stored a batch: these bytes of the source file, for these sites.
  virtual void held(const std::string& source, ByteRange range,
                    const std::set<std::string>& sites) = 0;
};

/// Sends records and counts the outcome of each. Its memory is bounded if the caller calls add()
/// only while wants_more() returns true. Not thread-safe, except for wake().
class Sender {
 public:
  virtual ~Sender() = default;

  /// Counts a record, and queues it if it is an event that no earlier run has settled.
  virtual void add(Record record) = 0;
  /// Returns false while enough records are queued.
  [[nodiscard]] virtual bool wants_more() const = 0;
  /// Sends the requests that are due and handles replies; waits at most `wait` for them.
  virtual void poll(std::chrono::milliseconds wait) = 0;
  /// Ends a poll() that is waiting. Any thread.
  virtual void wake() = 0;
  /// Announces that no more records follow, so that incomplete batches are sent.
  virtual void end_of_input() = 0;
  /// Sends no more requests; replies to those in flight are still handled.
  virtual void stop_sending() = 0;
  [[nodiscard]] virtual bool in_flight() const = 0;
  /// Returns true if every record passed to add() has its outcome.
  [[nodiscard]] virtual bool is_done() const = 0;

  [[nodiscard]] const Accounts& accounts() const { return accounts_; }
  [[nodiscard]] const Latencies& latencies() const { return latencies_; }
  /// Returns the reply that ended sending: the server refused the key or the request, or all
  /// retries failed. nullopt while sending can continue.
  [[nodiscard]] const std::optional<HttpReply>& fatal() const { return fatal_; }
  /// Returns true if a request may have been stored although its reply was lost, and the server
  /// could not recognise its repetition.
  [[nodiscard]] bool may_have_lost() const { return may_have_lost_; }
  /// Returns why requests are being repeated; empty once one succeeds.
  [[nodiscard]] const std::string& pause() const { return pause_; }

 protected:
  explicit Sender(SendObserver& observer) : observer_(observer) {}
  void reject(const Record& record, std::string_view stage, const std::string& code,
              const std::string& message, Settled end = Settled::kForGood);
  /// Counts the outcome of a pending record and reports it to the observer.
  void settle(const Record& record, RecordFate fate, std::string_view reason = {},
              Settled end = Settled::kForGood);
  /// Returns the request body for an event, without fields that the key may not set.
  [[nodiscard]] static std::string body_of(const Record& record, const SenderConfig& config);
  /// Counts a record, and settles it at once if it is not an event. Ignores NoRecord and records
  /// that an earlier run settled. Returns false if the record is an event that must be sent.
  bool count_other(const Record& record);

  Accounts accounts_;
  Latencies latencies_;
  /// Sets the text that pause() returns from the reply to a failed request.
  void note_pause(const HttpReply& reply);

  std::optional<HttpReply> fatal_;
  std::string pause_;
  bool may_have_lost_ = false;
  SendObserver& observer_;
};

}  // namespace analytics::cli
