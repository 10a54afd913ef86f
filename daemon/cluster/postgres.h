#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "common/run/result.h"

namespace analytics::cluster {

struct PostgresConfig {
  /// URL for libpq without a password, such as "postgresql://analytics@db.example.com/analytics"
  /// (https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING).
  std::string url{};
  std::string password{};
  /// Time limit for connecting, and for each statement.
  std::chrono::milliseconds timeout{10'000};
};

/// Returns what is wrong with a PostgreSQL URL, such as a password in it; empty if it is valid.
[[nodiscard]] std::string problem_of_postgres(const std::string& url);
/// Returns true if others could read the traffic or impersonate the server, because connections
/// leave the machine without checking the server's certificate. REQUIRES: problem_of_postgres()
/// returns an empty text for the URL.
[[nodiscard]] bool is_unsafe_postgres(const std::string& url);

/// A connection to PostgreSQL. Not thread-safe. Errors of all functions: kOverloaded if the server
/// is unreachable or busy, kInvalidParameter if it rejects the statement. After an error the
/// connection may be closed, which ends the transaction. A COMMIT without an answer may or may not
/// have been carried out.
class Postgres {
 public:
  /// Cancels waiting calls once `is_ending` is true. `is_ending` must outlive the object.
  Postgres(PostgresConfig config, const std::atomic<bool>& is_ending);
  ~Postgres();

  /// Connects unless there is a connection already.
  [[nodiscard]] Status connect();
  [[nodiscard]] bool is_connected() const { return connection_ != nullptr; }
  void disconnect();

  /// Values of a row as texts. NULL is an empty text.
  using Row = std::vector<std::string>;
  /// Executes one statement, with `values` for $1, $2…
  [[nodiscard]] Result<std::vector<Row>> ask(const std::string& sql,
                                             const std::vector<std::string>& values);
  /// Executes one or more statements without parameters. Returns the rows of the last statement
  /// that returns any.
  [[nodiscard]] Result<std::vector<Row>> ask(const std::string& sql);

  /// Waits until a notification arrives, the descriptor `wake` becomes readable, or `time` has
  /// passed. Without a connection, waits only for the latter two.
  void wait_for_news(std::chrono::milliseconds time, int wake);

 private:
  struct Close {
    void operator()(void* connection) const;
  };
  using Deadline = std::chrono::steady_clock::time_point;

  [[nodiscard]] Status wait(short events, Deadline deadline);
  [[nodiscard]] Result<std::vector<Row>> take_results(Deadline deadline);
  [[nodiscard]] tl::unexpected<Error> lose(const std::string& why);

  const PostgresConfig config_;
  const std::atomic<bool>& is_ending_;
  std::unique_ptr<void, Close> connection_;  ///< A PGconn; null without a connection.
};

/// Encode bytes as a text that PostgreSQL reads as bytea, and decode such a text.
[[nodiscard]] std::string to_bytea(std::string_view bytes);
[[nodiscard]] std::string from_bytea(const std::string& text);

}  // namespace analytics::cluster
