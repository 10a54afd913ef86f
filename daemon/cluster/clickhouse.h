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

#include "common/http_client.h"
#include "common/result.h"
#include "common/time.h"
#include "daemon/cluster/native_block.h"

namespace analytics::cluster {

struct ClickHouseConfig {
  std::string url;  ///< "http://clickhouse:8123/analytics": a server, and the database on it.
  std::string user = "default";
  std::string password{};                     ///< It is sent as a header, and nowhere written.
  std::chrono::milliseconds timeout{30'000};  ///< Of a statement that takes a moment.
};

/// How long a statement is waited for. A scan reads a table that may have any number of rows: 20
/// times as long as a moment.
enum class Takes { kMoment, kScan };

/// Returns why a URL names no server and database; empty if it does.
[[nodiscard]] std::string problem_of_url(std::string_view url);

/// True if requests to the URL can be read on their way: they leave the machine without TLS.
[[nodiscard]] bool is_readable_by_others(std::string_view url);

/// One server of ClickHouse, asked over HTTP (https://clickhouse.com/docs/en/interfaces/http). One
/// thread.
class ClickHouse {
 public:
  /// Requests end early once `is_ending`, which must outlive the object. REQUIRES: the URL has no
  /// problem_of_url().
  ClickHouse(ClickHouseConfig config, const std::atomic<bool>& is_ending);

  /// Carries out a statement, and returns its answer: one line per row, with tabs between the
  /// values. Errors: kOverloaded if the server cannot be asked now, kInvalidParameter if it
  /// refuses.
  [[nodiscard]] Result<std::string> ask(const std::string& sql, Takes takes = Takes::kMoment);
  /// Returns the one number that the statement selects. Errors: as ask().
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
  /// Carries out a statement that selects so many columns of integers, and after them so many of
  /// texts without tabs and line ends. Errors: as ask(); kOverloaded if the answer is another.
  [[nodiscard]] Result<std::vector<Row>> ask_rows(const std::string& sql, std::size_t numbers,
                                                  std::size_t texts = 0,
                                                  Takes takes = Takes::kMoment);

  /// Creates the database if it is missing. Ignores errors: the next statement reports them.
  void make_database();
  /// Turns off asynchronous inserts and the deduplication of inserts, where the server has these
  /// settings. Errors: as ask().
  [[nodiscard]] Status use_plain_inserts();
  /// For an insert through a gate, which stores the rows until the deadline only.
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
  std::string insert_settings_;       ///< "&async_insert=0".
  std::unique_ptr<HttpLanes> lanes_;  ///< One lane, which is replaced to abandon a request.
};

/// Waits that long. False: the service ends.
using Wait = std::function<bool(std::chrono::milliseconds)>;

/// The answer to a statement that only reads, in the format Native, as it comes: the server waits
/// while nobody reads it. One thread.
class ClickHouseAnswer {
 public:
  struct Limits {
    std::chrono::milliseconds whole;  ///< For all of the statement.
    /// Without a byte of the answer. What counts says nothing before it is done.
    std::chrono::milliseconds silence{60'000};
    std::size_t memory = 0;  ///< Bytes that the server may use; 0: as many as the user may.
  };
  /// `look` is called while the answer is waited for, and may throw. REQUIRES: as ClickHouse, which
  /// see.
  ClickHouseAnswer(const ClickHouseConfig& config, std::string sql, const Limits& limits,
                   std::function<void()> look);
  ~ClickHouseAnswer();  ///< Ends the statement, unless the answer was read to its end.
  ClickHouseAnswer(const ClickHouseAnswer&) = delete;
  ClickHouseAnswer& operator=(const ClickHouseAnswer&) = delete;

  /// Waits for more of the answer, and appends it. False at its end. What a server says when a
  /// statement fails halfway is appended, too: then it is no whole block. Errors: as
  /// ClickHouse::ask().
  [[nodiscard]] Result<bool> read(std::string& to);

 private:
  const ClickHouseConfig config_;
  const std::string query_id_;
  const std::function<void()> look_;
  std::string arrived_;
  HttpReply reply_;
  bool is_over_ = false;
  HttpLanes lanes_;  ///< One. Its callbacks use the members above.
};

}  // namespace analytics::cluster
