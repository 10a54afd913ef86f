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
[[nodiscard]] Method parse_method(std::string_view name);  ///< Methods are case-sensitive.
[[nodiscard]] std::string_view method_name(Method method);

/// Status in the log and the metrics of a request whose client closed the connection before the
/// answer, as at nginx.
inline constexpr int kClientClosedRequest = 499;

/// Head of a request, as framing::parse_head() read it. Its views point into the bytes that were
/// parsed.
struct Head {
  Method method = Method::kUnknown;
  std::string_view target;
  std::string_view path;   ///< Not decoded, without query.
  std::string_view query;  ///< Not decoded, without `?`.
  bool http_1_0 = false;
  bool expects_continue = false;
  std::vector<std::pair<std::string_view, std::string_view>> fields;

  /// Returns the first field with the name, compared without case; empty if there is no such field.
  [[nodiscard]] std::string_view field(std::string_view name) const;
  [[nodiscard]] bool has_field(std::string_view name) const;
  /// Returns all fields with the name, joined with ", " as RFC 9110, section 5.3, does.
  [[nodiscard]] std::string joined(std::string_view name) const;
};

inline constexpr std::size_t kNoRoute = static_cast<std::size_t>(-1);

/// One request. It stays valid and at its address until its Responder has been called.
struct Request {
  Head head;
  std::string body;
  std::string_view peer;  ///< Client's address, without port.
  /// Reservation made at admission, kept until the request is answered.
  std::shared_ptr<void> hold;
  std::size_t route = kNoRoute;         ///< Route found at admission.
  std::vector<std::string> parameters;  ///< Decoded values of the route's path parameters.
  std::string id;                       ///< Request id, also in X-Request-Id and in the log.
};

/// The next part of a response body.
struct BodyPart {
  enum class Kind {
    kBytes,
    kNothingYet,  ///< Nothing available yet; the server asks again shortly.
    kEnd,
    kCut,  ///< The body cannot be completed, and the client must notice that.
  };
  Kind kind = Kind::kCut;
  std::string bytes;
};
/// Takes a part of a body. Called once, on any thread.
struct TakePart {
  std::function<void(BodyPart)> take;
  Abandoned abandoned{};  ///< Becomes true if the client closes its connection.
  void operator()(BodyPart part) const { take(std::move(part)); }
};
/// Produces the parts of a body on demand. It is called for one part after another, and not again
/// after kEnd.
using BodyParts = std::function<void(TakePart take)>;

/// One response. The server adds the framing fields (Content-Length, Connection, Date,
/// X-Request-Id).
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
  /// is not ASCII, because it could forge another field.
  Response& set(std::string_view name, std::string_view value);

  /// Returns a response with the same fields but another status and body.
  [[nodiscard]] Response with_body(int status, std::string body) const;
  /// Returns the value of a field that set() added under exactly this name; empty if absent.
  [[nodiscard]] std::string_view field(std::string_view name) const;

  [[nodiscard]] int status() const { return status_; }
  [[nodiscard]] const std::string& fields() const { return fields_; }  ///< "Name: value\r\n" each.
  [[nodiscard]] std::string_view body() const { return file_.empty() ? body_ : file_; }
  /// Returns the bytes of memory that the body takes.
  [[nodiscard]] std::size_t body_memory() const { return body_.capacity(); }
  [[nodiscard]] const BodyParts& parts() const { return parts_; }

 private:
  int status_ = 204;
  std::string fields_;
  std::string body_;
  std::string_view file_;
  BodyParts parts_;
};

/// Sends exactly one response, from any thread. Copies share that response: the first call sends
/// it, later calls do nothing. If the last copy is destroyed without a call, it sends 500, so that
/// a bug in a handler never leaves a client waiting.
class Responder {
 public:
  /// The client of a request, until it is answered.
  class Client {
   public:
    virtual ~Client() = default;
    virtual void send(Response response) = 0;  ///< Any thread.
    /// Returns a flag that becomes true if the client closes its connection before the answer. Null
    /// if the caller is not on the thread that called the handler.
    virtual Abandoned watch() { return nullptr; }
  };
  explicit Responder(std::unique_ptr<Client> client)
      : once_(std::make_shared<Once>(std::move(client))) {}

  void operator()(Response response) const { once_->send(std::move(response)); }
  /// See Client::watch(). Null after the answer.
  [[nodiscard]] Abandoned watch_client() const { return once_->watch(); }
  /// Returns a responder for the same client that sends what `change` makes of the response.
  using Change = std::function<Response(Response)>;
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
    std::unique_ptr<Client> client_;  ///< Null after the first call of send().
  };
  std::shared_ptr<Once> once_;
};

/// Decision about a request, made before its body is read.
struct Admission {
  std::size_t body_limit = 0;    ///< Bytes.
  std::size_t route = kNoRoute;  ///< Number of the route in the dispatch; copied to the request.
  std::vector<std::string> parameters;  ///< Decoded path parameters; moved to the request.
  /// Response that ends the request unread; the connection closes after it.
  std::optional<Response> refusal;
  std::shared_ptr<void> hold;  ///< Reservation kept until the request is answered.
};

/// The application that the server calls: it knows the routes and the body limit of each.
struct Dispatch {
  /// Decides about a request by its head. `peer` is the client's address. Must not throw.
  std::function<Admission(const Head&, std::string_view peer)> admit;
  std::function<void(const Request&, Responder)> handle;  ///< An exception leads to 500.
  /// Makes the response to a framing error.
  std::function<Response(const Head&, int status)> refuse;
  /// Called once for every response, with the time since the head was complete. Must not throw.
  std::function<void(const Request&, int status, std::chrono::nanoseconds elapsed)> finished;
  /// Returns the name of the client that may have ConnectionLimits::per_client connections; nullopt
  /// for an address without such a limit, such as that of a proxy. Empty: there is no limit. Must
  /// not throw.
  std::function<std::optional<std::string>(std::string_view peer)> client_of{};
  /// Returns the name of the client for whose memory a large body or answer counts; empty if it is
  /// not known. Empty: no client is known. Must not throw.
  std::function<std::string(const Head&, std::string_view peer)> owner{};
};

[[nodiscard]] std::string_view reason_phrase(int status);

/// Caches the field "Date: …\r\n" for one second.
class DateField {
 public:
  const std::string& now();

 private:
  std::time_t at_ = 0;
  std::string field_;
};

/// Properties of a request and its connection that shape the response.
struct ResponseFrame {
  std::string_view date_field;  ///< "Date: …\r\n".
  std::string_view request_id;
  bool close = false;
  bool chunked = false;  ///< The parts of the body follow, each as chunk_of() encodes it.
};
/// Appends the head of the response as it is sent.
void append_head(std::string& out, const Response& response, const ResponseFrame& frame);
/// Returns the body that follows the head; empty without a body, or if the body is sent in parts.
[[nodiscard]] std::string_view sent_body(const Response& response, Method method);
/// Encodes a part of a chunked body (RFC 9112, section 7.1); an empty one ends the body.
[[nodiscard]] std::string chunk_of(std::string_view part);

}  // namespace analytics::http
