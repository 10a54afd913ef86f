#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/io/http_client.h"
#include "common/run/result.h"
#include "common/text/time.h"
#include "daemon/cluster/native_block.h"

namespace analytics::cluster {

struct ClickHouseConfig {
  std::string url;  ///< Server and database, such as "http://clickhouse:8123/analytics".
  std::string user = "default";
  std::string password{};  ///< Sent in a header; never logged or stored.
  /// Time limit of a short statement: see Takes::kMoment.
  std::chrono::milliseconds timeout{30'000};
};

/// Time limit of a statement. kMoment stands for ClickHouseConfig::timeout. kScan is 20 times as
/// long, for statements that read a table of any size.
enum class Takes { kMoment, kScan };

/// Returns what is wrong with the URL of a ClickHouse server and database; empty if it is valid.
[[nodiscard]] std::string problem_of_url(std::string_view url);

/// Returns true if requests to the URL leave the machine without TLS, so that others could read
/// them.
[[nodiscard]] bool is_readable_by_others(std::string_view url);

/// A ClickHouse server, queried over HTTP (https://clickhouse.com/docs/en/interfaces/http). Not
/// thread-safe.
class ClickHouse {
 public:
  /// Requests are cancelled once `is_ending` is true. `is_ending` must outlive the object.
  /// REQUIRES: problem_of_url() returns an empty text for the URL.
  ClickHouse(ClickHouseConfig config, const std::atomic<bool>& is_ending);

  /// Executes a statement and returns its answer: one line per row, with tabs between the values.
  /// Errors: kOverloaded if the server is unreachable or too busy, kInvalidParameter if it rejects
  /// the statement.
  [[nodiscard]] Result<std::string> ask(const std::string& sql, Takes takes = Takes::kMoment);
  /// Returns the single number that the statement selects. Errors: as for ask().
  [[nodiscard]] Result<std::uint64_t> ask_number(const std::string& sql,
                                                 Takes takes = Takes::kMoment);
  /// A row of an answer: first all its integers, then all its texts.
  struct Row {
    std::vector<std::int64_t> numbers{};
    std::vector<std::string> texts{};
    /// Returns an integer of the row as a Unix time. `number`: index of the integer.
    [[nodiscard]] UnixSeconds seconds(std::size_t number) const {
      return UnixSeconds(std::chrono::seconds(numbers[number]));
    }
  };
  /// Executes a statement that selects `numbers` columns of integers, followed by `texts` columns
  /// of texts without tabs and line ends. Errors: as for ask(); kOverloaded if the answer has a
  /// different form.
  [[nodiscard]] Result<std::vector<Row>> ask_rows(const std::string& sql, std::size_t numbers,
                                                  std::size_t texts = 0,
                                                  Takes takes = Takes::kMoment);

  /// Creates the database if it is missing. Ignores errors: the next statement reports them.
  void make_database();
  /// Turns off asynchronous inserts and the deduplication of inserts, if the server has these
  /// settings. Errors: as for ask().
  [[nodiscard]] Status use_plain_inserts();
  /// Parameters of an insert through the gate, a view of ClickHouse that stores rows only until a
  /// deadline.
  struct Gated {
    std::string query_id;
    /// Unix time in seconds, after which the gate stores no row of this insert.
    std::uint32_t deadline = 0;
  };
  /// Inserts rows into a table, which may have more columns than the rows. The result proves
  /// nothing: after an error the rows may be stored already or later, and the gate ignores late
  /// rows without an error. Errors: as for ask().
  [[nodiscard]] Status insert(const std::string& table, const NativeBlock& rows,
                              const std::optional<Gated>& gated = {});

 private:
  [[nodiscard]] Result<std::string> send(const std::string& sql, const std::string& query_id,
                                         std::string body, Takes takes = Takes::kMoment);
  [[nodiscard]] Result<std::string> request(const std::string& parameters, std::string body,
                                            Takes takes = Takes::kMoment);

  const ClickHouseConfig config_;
  const std::string database_;
  const std::atomic<bool>& is_ending_;
  std::string insert_settings_;  ///< URL parameters of inserts, such as "&async_insert=0".
  /// HTTP client with one lane, which sends one request at a time. Replaced to cancel a request.
  std::unique_ptr<HttpLanes> lanes_;
};

/// Waits for the given time. Returns false if the daemon is stopping.
using Wait = std::function<bool(std::chrono::milliseconds)>;

/// The answer to a read-only statement in ClickHouse's Native format, read as it arrives. The
/// server waits while the caller does not read. Not thread-safe.
class ClickHouseAnswer {
 public:
  struct Limits {
    std::chrono::milliseconds whole;  ///< Time limit of the whole statement.
    /// Longest time without receiving a byte of the answer. A statement that aggregates sends
    /// nothing until it is done.
    std::chrono::milliseconds silence{60'000};
    /// Memory in bytes that ClickHouse may use for the statement; 0 for the limit of the
    /// ClickHouse user.
    std::size_t memory = 0;
  };
  /// Sends the statement. While read() waits for the answer, it calls `look` repeatedly; `look`
  /// may throw to end the wait. REQUIRES: problem_of_url() returns an empty text for the URL.
  ClickHouseAnswer(const ClickHouseConfig& config, std::string sql, const Limits& limits,
                   std::function<void()> look);
  ~ClickHouseAnswer();  ///< Cancels the statement unless the answer was read to its end.
  ClickHouseAnswer(const ClickHouseAnswer&) = delete;
  ClickHouseAnswer& operator=(const ClickHouseAnswer&) = delete;

  /// Waits for more bytes of the answer and appends them to `to`. Returns false at the end. If the
  /// statement fails halfway, an incomplete block is followed by the text of ClickHouse's error.
  /// Errors: as for ClickHouse::ask().
  [[nodiscard]] Result<bool> read(std::string& to);

 private:
  const ClickHouseConfig config_;
  const std::string query_id_;
  const std::function<void()> look_;
  std::string arrived_;  ///< Bytes that were received but not yet returned by read().
  HttpReply reply_;
  bool is_over_ = false;
  /// HTTP client that sends the statement. Declared last, because its callbacks use the members
  /// above.
  HttpLanes lanes_;
};

}  // namespace analytics::cluster
