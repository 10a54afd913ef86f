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

/// The head of a request as framing::parse_head() found it: views into the bytes it was read from.
struct Head {
  Method method = Method::kUnknown;
  std::string_view target;
  std::string_view path;   ///< Not decoded, without query.
  std::string_view query;  ///< Not decoded, without `?`.
  bool http_1_0 = false;
  bool expects_continue = false;
  std::vector<std::pair<std::string_view, std::string_view>> fields;

  /// The first field of that name (any case); empty when there is none.
  [[nodiscard]] std::string_view field(std::string_view name) const;
  [[nodiscard]] bool has_field(std::string_view name) const;
  /// All lines of that name joined with ", ", as HTTP has them.
  [[nodiscard]] std::string joined(std::string_view name) const;
};

inline constexpr std::size_t kNoRoute = static_cast<std::size_t>(-1);

/// One request. Alive, and unmoved, until its Responder has been called.
struct Request {
  Head head;
  std::string body;
  std::string_view peer;  ///< The other end's address, without port.
  /// The reservation made at admission, kept until the request is answered.
  std::shared_ptr<void> hold;
  std::size_t route = kNoRoute;         ///< The route found at admission.
  std::vector<std::string> parameters;  ///< The route's parameters in the path, decoded.
  std::string id;                       ///< Also in the reply (X-Request-Id) and in the log.
};

/// The next piece of a body.
struct BodyPart {
  enum class Kind {
    kBytes,
    kNothingYet,  ///< Nothing available yet; the server asks again shortly.
    kEnd,
    kCut,  ///< It cannot go on: the client must see that it is not whole.
  };
  Kind kind = Kind::kCut;
  std::string bytes;
};
/// Makes the pieces of a body that is not there at once: called for one after another, and not
/// again after its end. `take` is called once, from any thread.
using BodyParts = std::function<void(std::function<void(BodyPart)> take)>;

/// One response. Framing fields (Content-Length, Connection, Date, X-Request-Id) are the server's.
class Response {
 public:
  Response() = default;
  Response(int status, std::string content_type, std::string body);
  /// The body is fetched piece by piece, as fast as the client takes it.
  Response(int status, std::string content_type, BodyParts parts);

  /// The one place that sets header fields. Throws std::invalid_argument when the value holds a
  /// control character or is not ASCII: it could forge another field.
  Response& set(std::string_view name, std::string_view value);

  /// Returns a response with the same fields but another status and body.
  [[nodiscard]] Response with_body(int status, std::string body) const;
  /// The value of a field that was set by exactly this name; empty: none was.
  [[nodiscard]] std::string_view field(std::string_view name) const;

  [[nodiscard]] int status() const { return status_; }
  [[nodiscard]] const std::string& fields() const { return fields_; }  ///< "Name: value\r\n" each.
  [[nodiscard]] const std::string& body() const { return body_; }
  [[nodiscard]] const BodyParts& parts() const { return parts_; }

 private:
  int status_ = 204;
  std::string fields_;
  std::string body_;
  BodyParts parts_;
};

/// Sends exactly one response, from any thread. Copies share that response: the first call of any
/// of them sends it, and calls after it do nothing. If the last copy goes without a call, it sends
/// 500: a forgotten path can slow a client, never hang it.
class Responder {
 public:
  using Sink = std::function<void(Response)>;
  explicit Responder(Sink sink) : once_(std::make_shared<Once>(std::move(sink))) {}

  void operator()(Response response) const { once_->send(std::move(response)); }

 private:
  class Once {
   public:
    explicit Once(Sink sink) : sink_(std::move(sink)) {}
    ~Once();
    Once(const Once&) = delete;
    Once& operator=(const Once&) = delete;
    void send(Response response);

   private:
    Sink sink_;  ///< Empty once it was called.
  };
  std::shared_ptr<Once> once_;
};

/// The decision about a request that is made before its body is read.
struct Admission {
  std::size_t body_limit = 0;    ///< Bytes.
  std::size_t route = kNoRoute;  ///< A number of the dispatch's own: the request carries it on.
  std::vector<std::string>
      parameters;                   ///< The parameters in the path; the request carries them on.
  std::optional<Response> refusal;  ///< The body is not read; the connection closes after it.
  std::shared_ptr<void> hold;       ///< Kept until the request is answered.
  std::string client;  ///< Names the sender of a large body; empty: nobody in particular.
};

/// The application behind the server: it knows the routes and the body limit of each.
struct Dispatch {
  /// `peer` is the other end's address. Must not throw.
  std::function<Admission(const Head&, std::string_view peer)> admit;
  std::function<void(const Request&, Responder)> handle;    ///< May throw: 500.
  std::function<Response(const Head&, int status)> refuse;  ///< The body of a framing error.
  /// Every answer, once, with the time since its head was whole. Must not throw.
  std::function<void(const Request&, int status, std::chrono::nanoseconds elapsed)> finished;
};

[[nodiscard]] std::string_view reason_phrase(int status);

/// The field "Date: …\r\n", made once a second.
class DateField {
 public:
  const std::string& now();

 private:
  std::time_t at_ = 0;
  std::string field_;
};

/// The properties of a request and its connection that shape the response.
struct ResponseFrame {
  Method method = Method::kGet;  ///< HEAD: no body.
  std::string_view date_field;   ///< "Date: …\r\n".
  std::string_view request_id;
  bool close = false;
  bool chunked = false;  ///< The pieces of the body follow, each as chunk_of() makes it.
};
/// Appends the bytes that go out.
void append_response(std::string& out, const Response& response, const ResponseFrame& frame);
/// A piece of a chunked body (RFC 9112, section 7.1); an empty one ends it.
[[nodiscard]] std::string chunk_of(std::string_view part);

}  // namespace analytics::http
