#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "common/result.h"

namespace analytics::cluster {

struct PostgresConfig {
  /// "postgresql://analytics@db.example.com/analytics": as libpq takes it, without a password
  /// (https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING).
  std::string url{};
  std::string password{};
  std::chrono::milliseconds timeout{10'000};  ///< Of a connection, and of each statement.
};

/// Returns why a text is no address of a database, or says more than it should; empty if it is one.
[[nodiscard]] std::string problem_of_postgres(const std::string& url);
/// True if what is said to the server can be read on its way, or said to another one: it leaves the
/// machine without a certificate that was verified. REQUIRES: the URL has no problem.
[[nodiscard]] bool is_unsafe_postgres(const std::string& url);

/// A connection to PostgreSQL. One thread. Errors of all: kOverloaded if the server cannot be asked
/// now, kInvalidParameter if it refuses. After an error the connection may be closed, and with it
/// the transaction; whether a COMMIT without an answer was carried out is not known.
class Postgres {
 public:
  /// Waiting ends early once `is_ending`, which must outlive the object.
  Postgres(PostgresConfig config, const std::atomic<bool>& is_ending);
  ~Postgres();

  /// Connects if there is no connection.
  [[nodiscard]] Status connect();
  [[nodiscard]] bool is_connected() const { return connection_ != nullptr; }
  void disconnect();

  /// The values of a row as texts; NULL is an empty one.
  using Row = std::vector<std::string>;
  /// Carries out one statement with its values for $1, $2…
  [[nodiscard]] Result<std::vector<Row>> ask(const std::string& sql,
                                             const std::vector<std::string>& values);
  /// Carries out statements without values.
  [[nodiscard]] Result<std::vector<Row>> ask(const std::string& sql);

  /// Waits for a notification of a channel that is listened to, for something to read from the
  /// descriptor `wake`, or for so long. Without a connection it waits for the other two.
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
  std::unique_ptr<void, Close> connection_;  ///< A PGconn.
};

/// Bytes as a text that PostgreSQL reads as bytea, and back.
[[nodiscard]] std::string to_bytea(std::string_view bytes);
[[nodiscard]] std::string from_bytea(const std::string& text);

}  // namespace analytics::cluster
