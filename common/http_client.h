#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace analytics {

struct HttpClientConfig {
  std::chrono::milliseconds connect_timeout{5'000};
  std::chrono::milliseconds timeout{30'000};  ///< Timeout for a whole request.
  std::filesystem::path ca_file;              ///< Empty: the system's.
  bool insecure = false;                      ///< Accept any certificate.
  std::string user_agent;
  /// A connection for each request: on one that was kept, libcurl repeats by itself what may have
  /// been done.
  bool fresh_connections = false;
};

struct HttpRequest {
  std::string method = "GET";
  std::string url;
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;
  /// Takes the body of a 2xx as it comes, in place of the reply; false ends the transfer. The
  /// time-out is then for silence, not for the whole.
  std::function<bool(std::string_view)> on_body{};
  std::optional<std::chrono::milliseconds> timeout{};  ///< In place of the client's.
};

/// The reply to a request, or the reason why there is none.
struct HttpReply {
  enum class Failure {
    kNone,     ///< There is a response.
    kConnect,  ///< The request never reached the server: no connection, DNS, TLS.
    kLost,     ///< It may have reached the server: time-out, connection cut.
    kInvalid,  ///< It can never work: malformed URL, unknown scheme, bad certificate file.
  };
  Failure failure = Failure::kNone;
  std::string reason;  ///< For a person, when failure is not kNone.
  int status = 0;
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;
  std::chrono::microseconds elapsed{0};

  /// The value of a header, empty when absent; names in any case.
  [[nodiscard]] std::string_view header(std::string_view name) const;
};

/// One request at a time over connections that are kept. One thread.
class HttpClient {
 public:
  explicit HttpClient(HttpClientConfig config);
  ~HttpClient();
  [[nodiscard]] HttpReply send(const HttpRequest& request);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Many requests at a time on one thread, each on a lane of its own: a lane is a connection that is
/// kept, and sends one request after another.
class HttpLanes {
 public:
  using Done = std::function<void(HttpReply)>;

  HttpLanes(HttpClientConfig config, std::size_t lanes);
  ~HttpLanes();

  /// REQUIRES: the lane is free. `done` runs inside poll().
  void send(std::size_t lane, HttpRequest request, Done done);
  [[nodiscard]] bool is_free(std::size_t lane) const;
  [[nodiscard]] std::size_t busy() const;

  /// Moves bytes and calls what is done; waits at most `wait` for something to happen.
  void poll(std::chrono::milliseconds wait);
  /// Any thread: ends a poll() that waits.
  void wake();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Process-wide start and end of the library; one object in run().
class HttpLibrary {
 public:
  HttpLibrary();
  ~HttpLibrary();
  HttpLibrary(const HttpLibrary&) = delete;
  HttpLibrary& operator=(const HttpLibrary&) = delete;
};

}  // namespace analytics
