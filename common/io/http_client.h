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
  std::chrono::milliseconds timeout{30'000};  ///< Timeout for the whole request.
  std::filesystem::path ca_file;              ///< Certificates to trust; empty for the system's.
  bool insecure = false;                      ///< True to accept any certificate.
  std::string user_agent;
  /// True to open a new connection for each request. On a reused connection, libcurl may silently
  /// repeat a request that the server has already executed.
  bool fresh_connections = false;
};

struct HttpRequest {
  std::string method = "GET";
  std::string url;
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;
  /// Receives the body of a 2xx response piece by piece; HttpReply::body then stays empty.
  /// Returning false ends the transfer. The timeout then limits the time without data, not the
  /// whole transfer.
  std::function<bool(std::string_view)> on_body{};
  /// Timeout of this request; nullopt for the client's timeout.
  std::optional<std::chrono::milliseconds> timeout{};
};

/// The reply to a request, or the reason why it failed.
struct HttpReply {
  enum class Failure {
    kNone,     ///< The server has responded.
    kConnect,  ///< The request never reached the server: no connection, DNS, TLS.
    kLost,     ///< The request may have reached the server: timeout, connection cut.
    kInvalid,  ///< The request can never succeed: bad URL, scheme or certificate file.
  };
  Failure failure = Failure::kNone;
  std::string reason;  ///< Message for people; set unless failure is kNone.
  int status = 0;
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;
  std::chrono::microseconds elapsed{0};

  /// Returns the value of a header, compared without case; empty if absent.
  [[nodiscard]] std::string_view header(std::string_view name) const;
};

/// Sends one request at a time and reuses connections. For use by one thread.
class HttpClient {
 public:
  explicit HttpClient(HttpClientConfig config);
  ~HttpClient();
  [[nodiscard]] HttpReply send(const HttpRequest& request);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Sends many requests at a time on one thread. A lane is a reused connection that sends one
/// request after another.
class HttpLanes {
 public:
  using Done = std::function<void(HttpReply)>;

  HttpLanes(HttpClientConfig config, std::size_t lanes);
  ~HttpLanes();

  /// Starts a request. REQUIRES: the lane is free. `done` runs inside poll().
  void send(std::size_t lane, HttpRequest request, Done done);
  [[nodiscard]] bool is_free(std::size_t lane) const;
  [[nodiscard]] std::size_t busy() const;

  /// Transfers bytes and calls `done` of finished requests. Waits at most `wait` for an event.
  void poll(std::chrono::milliseconds wait);
  /// Ends a waiting poll(). Any thread.
  void wake();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Initialises libcurl for the whole process, and cleans up at the end. Must outlive all clients.
class HttpLibrary {
 public:
  HttpLibrary();
  ~HttpLibrary();
  HttpLibrary(const HttpLibrary&) = delete;
  HttpLibrary& operator=(const HttpLibrary&) = delete;
};

}  // namespace analytics
