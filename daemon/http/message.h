#pragma once

#include <chrono>
#include <cstdint>
#include <ctime>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/run/abandoned.h"

namespace analytics::http {

enum class Method {
  kGet,
  kHead,
  kPost,
  kPut,
  kPatch,
  kDelete,
  kOptions,
  kTrace,
  kConnect,
  kUnknown
};
/// Returns the method with this name, which is case-sensitive; kUnknown for other names.
[[nodiscard]] Method parse_method(std::string_view name);
[[nodiscard]] std::string_view method_name(Method method);

/// Status in the daemon's log and metrics if the client closed the connection before the answer.
/// nginx uses the same number.
inline constexpr int kClientClosedRequest = 499;

/// Head of a request, filled by framing::parse_head(). Its views point into the parsed bytes.
struct Head {
  Method method = Method::kUnknown;
  std::string_view target;
  std::string_view path;   ///< Path of the target, still percent-encoded.
  std::string_view query;  ///< Query of the target, still percent-encoded, without `?`.
  bool http_1_0 = false;
  bool expects_continue = false;
  std::vector<std::pair<std::string_view, std::string_view>> fields;

  /// Returns the value of the first field with this name, compared without case; empty if absent.
  [[nodiscard]] std::string_view field(std::string_view name) const;
  [[nodiscard]] bool has_field(std::string_view name) const;
  /// Returns the values of all fields with this name, joined with ", " (RFC 9110, section 5.3).
  [[nodiscard]] std::string joined(std::string_view name) const;
};

/// Route number of a request that matches no route, or whose head was refused.
inline constexpr std::size_t kNoRoute = static_cast<std::size_t>(-1);

/// One request. Stays valid, at the same address, until its Responder is called.
struct Request {
  Head head;
  std::string body;
  std::string_view peer;  ///< Address of the connected client or proxy, without port.
  /// Reservation from Admission::hold, kept until the request is answered; may be null.
  std::shared_ptr<void> hold;
  std::size_t route = kNoRoute;         ///< Number of the route, from Admission::route.
  std::vector<std::string> parameters;  ///< Decoded values of the route's path parameters.
  std::string id;  ///< Request id, also in X-Request-Id and in the daemon's log.
};

/// The next part of a response body.
struct BodyPart {
  enum class Kind {
    kBytes,
    kNothingYet,  ///< Nothing available yet; the server asks again shortly.
    kEnd,         ///< The body is complete.
    kCut,         ///< The body cannot be completed; the connection is reset so the client notices.
  };
  Kind kind = Kind::kCut;
  std::string bytes;
};
/// Callback that passes one part of a response body to the server. Must be called once; any thread.
struct TakePart {
  std::function<void(BodyPart)> take;
  Abandoned abandoned{};  ///< Flag that becomes true if the client closes its connection.
  void operator()(BodyPart part) const { take(std::move(part)); }
};
/// Produces a response body part by part. Each call must lead to one call of `take`. The server
/// calls this function again after each part, until kEnd or kCut.
using BodyParts = std::function<void(TakePart take)>;

/// One response. The server adds the fields Date, X-Request-Id, Content-Length or
/// Transfer-Encoding, and Connection.
class Response {
 public:
  Response() = default;
  Response(int status, std::string content_type, std::string body);
  /// Creates a response whose body is sent without being copied. REQUIRES: `body` lives as long as
  /// the program.
  [[nodiscard]] static Response of_file(int status, std::string content_type,
                                        std::string_view body);
  /// Creates a response whose body is fetched part by part, as fast as the client reads.
  Response(int status, std::string content_type, BodyParts parts);

  /// Sets a header field. Throws std::invalid_argument if the value contains a control character or
  /// is not ASCII, because such a value could forge another field.
  Response& set(std::string_view name, std::string_view value);

  /// Returns a response with the same fields but another status and body.
  [[nodiscard]] Response with_body(int status, std::string body) const;
  /// Returns the value of a field that set() added under exactly this name; empty if absent.
  [[nodiscard]] std::string_view field(std::string_view name) const;

  [[nodiscard]] int status() const { return status_; }
  /// Returns the header fields as sent, each "Name: value\r\n".
  [[nodiscard]] const std::string& fields() const { return fields_; }
  [[nodiscard]] std::string_view body() const { return file_.empty() ? body_ : file_; }
  /// Returns the bytes of memory that the body occupies; 0 for of_file().
  [[nodiscard]] std::size_t body_memory() const { return body_.capacity(); }
  [[nodiscard]] const BodyParts& parts() const { return parts_; }

 private:
  int status_ = 204;
  std::string fields_;
  std::string body_;
  std::string_view file_;  ///< Body given to of_file(); `body_` is then unused.
  BodyParts parts_;
};

/// Sends exactly one response, from any thread. Copies share that response: the first call sends
/// it, later calls do nothing. If the last copy is destroyed without a call, the client gets 500,
/// so that a bug in a handler never leaves a client waiting.
class Responder {
 public:
  /// Receives the response to one request.
  class Client {
   public:
    virtual ~Client() = default;
    virtual void send(Response response) = 0;  ///< Called at most once, on any thread.
    /// Returns a flag that becomes true if the client closes its connection before the answer.
    /// Returns null if called on another thread than the one that called the handler.
    virtual Abandoned watch() { return nullptr; }
  };
  explicit Responder(std::unique_ptr<Client> client)
      : once_(std::make_shared<Once>(std::move(client))) {}

  void operator()(Response response) const { once_->send(std::move(response)); }
  /// Returns Client::watch() of the request's client; null after the answer.
  [[nodiscard]] Abandoned watch_client() const { return once_->watch(); }
  using Change = std::function<Response(Response)>;
  /// Returns a responder that passes each response through `change` and sends the result.
  [[nodiscard]] Responder changing(Change change) const;

 private:
  class Once {
   public:
    explicit Once(std::unique_ptr<Client> client) : client_(std::move(client)) {}
    ~Once();
    Once(const Once&) = delete;
    Once& operator=(const Once&) = delete;
    void send(Response response);
    [[nodiscard]] Abandoned watch() { return client_ ? client_->watch() : nullptr; }

   private:
    /// Receives the response; null after the first call of send().
    std::unique_ptr<Client> client_;
  };
  std::shared_ptr<Once> once_;
};

/// Decision about a request, made before its body is read.
struct Admission {
  std::size_t body_limit = 0;  ///< Largest accepted body, in bytes.
  /// Number that the application gives to the route; copied to Request::route.
  std::size_t route = kNoRoute;
  std::vector<std::string> parameters;  ///< Decoded path parameters; moved to Request::parameters.
  /// Response that refuses the request; nullopt if the request is accepted. The response is sent
  /// without reading the body, and the connection then closes.
  std::optional<Response> refusal;
  /// Reservation, of memory for example, that is released once the request is answered; may be
  /// null.
  std::shared_ptr<void> hold;
};

/// Callbacks into the application, which knows the routes. The server calls them on its threads.
struct Dispatch {
  /// Accepts or refuses a request by its head, before its body is read. `peer` is the address of
  /// the connected client or proxy. Must not throw.
  std::function<Admission(const Head&, std::string_view peer)> admit;
  /// Handles a complete request, now or later. If it throws, the client gets 500.
  std::function<void(const Request&, Responder)> handle;
  /// Makes the response, with this status, to a request that is malformed, too large or too slow.
  std::function<Response(const Head&, int status)> refuse;
  /// Notes a response in the daemon's log and metrics. Called once for every response. `elapsed` is
  /// the time since the head was complete. Must not throw.
  std::function<void(const Request&, int status, std::chrono::nanoseconds elapsed)> finished;
  /// Returns the name under which the connections of `peer` are counted for
  /// ConnectionLimits::per_client; nullopt for a peer without a limit, such as a trusted proxy. An
  /// empty function means that no peer has a limit. Must not throw.
  std::function<std::optional<std::string>(std::string_view peer)> client_of{};
  /// Returns the name under which the memory ledger counts a large body or answer; an empty name if
  /// the client is not known. An empty function means that no client is known. Must not throw.
  std::function<std::string(const Head&, std::string_view peer)> owner{};
  /// Returns header fields, each "Name: value\r\n", that every response to the request gets,
  /// including refusals; the text must live as long as the program. An empty function means no
  /// fields. Must not throw.
  std::function<std::string_view(const Head&)> fields{};
};

[[nodiscard]] std::string_view reason_phrase(int status);

/// Formats the header field "Date: …\r\n" and caches it for one second.
class DateField {
 public:
  const std::string& now();

 private:
  std::time_t at_ = 0;
  std::string field_;
};

/// Inputs of append_head() that are not part of the response itself.
struct ResponseFrame {
  std::string_view date_field;  ///< The whole header field, "Date: …\r\n".
  std::string_view request_id;
  bool close = false;         ///< True to add "Connection: close".
  bool chunked = false;       ///< True if the body follows in parts, each encoded by chunk_of().
  std::string_view fields{};  ///< Further header fields, from Dispatch::fields.
};
/// Appends status line, header fields and blank line, ready to be sent.
void append_head(std::string& out, const Response& response, const ResponseFrame& frame);
/// Returns the body to send after the head. Empty for HEAD, 204 and 304, and for a body in parts.
[[nodiscard]] std::string_view sent_body(const Response& response, Method method);
/// Encodes a part of a chunked body (RFC 9112, section 7.1). An empty part ends the body.
[[nodiscard]] std::string chunk_of(std::string_view part);

}  // namespace analytics::http
