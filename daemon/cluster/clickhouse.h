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
  std::string url;  ///< "http://clickhouse:8123/analytics": a server, and the database on it.
  std::string user = "default";
  std::string password{};                     ///< Sent as a header, and written nowhere.
  std::chrono::milliseconds timeout{30'000};  ///< Time limit of a statement with Takes::kMoment.
};

/// Time limit of a statement. kScan is for statements that read a table of any size: 20 times as
/// long as kMoment.
enum class Takes { kMoment, kScan };

/// Returns what is wrong with the URL of a server and database; empty if nothing is.
[[nodiscard]] std::string problem_of_url(std::string_view url);

/// Returns true if others could read requests to the URL, because they leave the machine without
/// TLS.
[[nodiscard]] bool is_readable_by_others(std::string_view url);

/// A ClickHouse server, queried over HTTP (https://clickhouse.com/docs/en/interfaces/http). One
/// thread.
class ClickHouse {
 public:
  /// Requests end early once `is_ending`, which must outlive the object, is true. REQUIRES:
  /// problem_of_url() finds nothing wrong.
  ClickHouse(ClickHouseConfig config, const std::atomic<bool>& is_ending);

  /// Executes a statement and returns its answer: one line per row, with tabs between the values.
  /// Errors: kOverloaded if the server cannot be asked now, kInvalidParameter if it refuses.
  [[nodiscard]] Result<std::string> ask(const std::string& sql, Takes takes = Takes::kMoment);
  /// Returns the single number that the statement selects. Errors: as ask().
  [[nodiscard]] Result<std::uint64_t> ask_number(const std::string& sql,
                                                 Takes takes = Takes::kMoment);
  /// A row of an answer.
  struct Row {
    std::vector<std::int64_t> numbers{};
    std::vector<std::string> texts{};
    [[nodiscard]] UnixSeconds seconds(std::size_t number) const {
      return UnixSeconds(std::chrono::seconds(numbers[number]));
    }
  };
  /// Executes a statement that selects `numbers` columns of integers, followed by `texts` columns
  /// of texts without tabs and line ends. Errors: as ask(); kOverloaded if the answer has another
  /// form.
  [[nodiscard]] Result<std::vector<Row>> ask_rows(const std::string& sql, std::size_t numbers,
                                                  std::size_t texts = 0,
                                                  Takes takes = Takes::kMoment);

  /// Creates the database if it is missing. Ignores errors: the next statement reports them.
  void make_database();
  /// Turns off asynchronous inserts and the deduplication of inserts, if the server has these
  /// settings. Errors: as ask().
  [[nodiscard]] Status use_plain_inserts();
  /// Parameters of an insert through a gate, which stores rows only until the deadline.
  struct Gated {
    std::string query_id;
    std::uint32_t deadline = 0;  ///< In Unix seconds: see NativeBlock::finish().
  };
  /// Sends rows to a table, which may have more columns than the rows. A reply proves nothing:
  /// after an error the rows may be stored, or be stored later. Errors: as ask().
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
  std::string insert_settings_;       ///< Such as "&async_insert=0".
  std::unique_ptr<HttpLanes> lanes_;  ///< One lane, which is replaced to abandon a request.
};

/// Waits for this time. Returns false if the service ends.
using Wait = std::function<bool(std::chrono::milliseconds)>;

/// The answer to a read-only statement, in the format Native, read as it arrives. The server waits
/// while the answer is not read. One thread.
class ClickHouseAnswer {
 public:
  struct Limits {
    std::chrono::milliseconds whole;  ///< Time limit of the whole statement.
    /// Longest time without a byte of the answer. A statement that aggregates sends nothing before
    /// it is done.
    std::chrono::milliseconds silence{60'000};
    std::size_t memory = 0;  ///< Bytes that the server may use; 0: the user's limit.
  };
  /// Calls `look`, which may throw, while it waits for the answer. REQUIRES: as ClickHouse.
  ClickHouseAnswer(const ClickHouseConfig& config, std::string sql, const Limits& limits,
                   std::function<void()> look);
  ~ClickHouseAnswer();  ///< Ends the statement, unless the answer was read to its end.
  ClickHouseAnswer(const ClickHouseAnswer&) = delete;
  ClickHouseAnswer& operator=(const ClickHouseAnswer&) = delete;

  /// Waits for more of the answer and appends it. Returns false at the end. If a statement fails
  /// halfway, the server's message is appended too, and the last block is not whole. Errors: as
  /// ClickHouse::ask().
  [[nodiscard]] Result<bool> read(std::string& to);

 private:
  const ClickHouseConfig config_;
  const std::string query_id_;
  const std::function<void()> look_;
  std::string arrived_;
  HttpReply reply_;
  bool is_over_ = false;
  HttpLanes lanes_;  ///< One lane. Its callbacks use the members above.
};

}  // namespace analytics::cluster
