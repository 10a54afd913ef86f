#include "daemon/http/request_reader.h"

#include <algorithm>
#include <optional>

#include <boost/beast/http.hpp>

#include "common/text/text.h"

namespace analytics::http {
namespace {

namespace beast_http = boost::beast::http;

/// Maximum size, in bytes, of the empty lines before a request, which are ignored (RFC 9112,
/// section 2.2).
constexpr std::size_t kMaxSkipped = 32;

bool has_token(std::string_view list, std::string_view token) {
  const auto parts = split(list, ',');
  return std::any_of(parts.begin(), parts.end(),
                     [&](std::string_view part) { return iequals(trim(part), token); });
}

}  // namespace

/// A chunked body while it arrives. ChunkGate checks the raw bytes at once. Beast's parser decodes
/// them once the body is complete, because Beast 1.81 fails an assertion on input that ends within
/// the last line.
class RequestReader::ChunkedBody {
 public:
  explicit ChunkedBody(std::size_t limit) : limit_(limit) {}

  /// Checks the bytes of `in` that arrived since the last call. Returns 0, or the HTTP status to
  /// refuse with.
  int judge(const std::string& in) {
    if (!gate_.accept(std::string_view(in).substr(judged_))) return 400;
    judged_ = in.size();
    const bool wasteful = gate_.raw_bytes() > kMaxOverhead + 2 * gate_.data_bytes();
    return gate_.data_bytes() > limit_ || wasteful ? 413 : 0;
  }
  [[nodiscard]] bool is_whole() const { return gate_.done(); }

  /// Removes the complete body from the front of `in` and returns it decoded; nullopt if the parser
  /// rejects it. REQUIRES: is_whole().
  std::optional<std::string> take(std::string_view head, std::string& in) {
    beast_http::request_parser<beast_http::string_body> parser;
    parser.eager(true);
    parser.header_limit(
        static_cast<std::uint32_t>(head.size() + framing::ChunkGate::kMaxTrailer + 1));
    parser.body_limit(limit_);
    boost::system::error_code error;
    parser.put(boost::asio::buffer(head), error);
    const auto raw = static_cast<std::size_t>(gate_.raw_bytes());
    std::string_view rest = std::string_view(in).substr(0, raw);
    // Beast rejects some trailers. Remove them, because RFC 9110, 6.5.1, lets a server ignore them.
    std::string without_trailers;
    if (gate_.trailer_bytes() > kNoTrailers) {
      without_trailers = std::string(rest.substr(0, raw - gate_.trailer_bytes())) + "\r\n";
      rest = without_trailers;
    }
    while (!error && !parser.is_done() && !rest.empty()) {
      rest.remove_prefix(parser.put(boost::asio::buffer(rest), error));
    }
    if (error || !parser.is_done()) return std::nullopt;
    in.erase(0, raw);
    return std::move(parser.get().body());
  }

 private:
  /// Size of a trailer section without fields: its empty line.
  static constexpr std::size_t kNoTrailers = 2;
  /// Maximum number of bytes by which the chunk lines of a body may exceed its data.
  static constexpr std::uint64_t kMaxOverhead = 65'536;

  const std::size_t limit_;
  framing::ChunkGate gate_;
  std::size_t judged_ = 0;  ///< Number of bytes of the input that judge() has checked.
};

RequestReader::RequestReader(const framing::Limits& limits) : limits_(limits) {}
RequestReader::~RequestReader() = default;

RequestReader::Step RequestReader::read() {
  switch (phase_) {
    case Phase::kHead: return read_head();
    case Phase::kAdmission: return Step::kHead;
    case Phase::kBody: return chunked_ != nullptr ? read_chunks() : read_body();
  }
  return Step::kNeedMore;
}

RequestReader::Step RequestReader::read_head() {
  const auto scan = framing::scan_head(in_, limits_);
  in_.erase(0, scan.skip);
  skipped_ += scan.skip;
  if (skipped_ > kMaxSkipped) return refuse(400);
  if (scan.status != 0) {
    learn_target();
    return refuse(scan.status);
  }
  if (scan.end == 0) return Step::kNeedMore;
  head_bytes_.assign(in_, 0, scan.end);
  in_.erase(0, scan.end);
  const int status = framing::parse_head(head_bytes_, limits_, request_.head);
  if (status != 0) return refuse(status);
  phase_ = Phase::kAdmission;
  return Step::kHead;
}

/// Reads method and target from an incomplete head, because the response to a refused request
/// depends on its route.
void RequestReader::learn_target() {
  const auto line = in_.find("\r\n");
  if (line == std::string::npos) return;
  head_bytes_.assign(in_, 0, line + 2).append("\r\n");
  (void)framing::parse_head(head_bytes_, limits_, request_.head);
}

void RequestReader::begin_body(std::size_t limit) {
  phase_ = Phase::kBody;
  body_limit_ = limit;
  // parse_head() accepts Content-Length only as a plain number.
  const auto length = parse_int(request_.head.field("Content-Length")).value_or(0);
  body_length_ = static_cast<std::size_t>(length);
  if (request_.head.has_field("Transfer-Encoding")) {
    chunked_ = std::make_unique<ChunkedBody>(limit);
  }
}

RequestReader::Step RequestReader::read_body() {
  if (body_length_ > body_limit_) return refuse(413);
  if (in_.size() < body_length_) {
    const bool ask = in_.empty() && std::exchange(request_.head.expects_continue, false);
    return ask ? Step::kContinue : Step::kNeedMore;
  }
  request_.body.assign(in_, 0, body_length_);
  in_.erase(0, body_length_);
  return Step::kRequest;
}

RequestReader::Step RequestReader::read_chunks() {
  if (const int status = chunked_->judge(in_); status != 0) return refuse(status);
  if (!chunked_->is_whole()) {
    const bool ask = in_.empty() && std::exchange(request_.head.expects_continue, false);
    return ask ? Step::kContinue : Step::kNeedMore;
  }
  auto body = chunked_->take(head_bytes_, in_);
  if (!body) return refuse(400);
  request_.body = std::move(*body);
  return Step::kRequest;
}

void RequestReader::drop_body() {
  chunked_.reset();
  std::string().swap(in_);  // clear() would keep the memory
}

RequestReader::Step RequestReader::refuse(int status) {
  status_ = status;
  return Step::kRefused;
}

bool RequestReader::keep_alive() const {
  return !request_.head.http_1_0 && !has_token(request_.head.joined("Connection"), "close");
}

void RequestReader::finish() {
  phase_ = Phase::kHead;
  skipped_ = 0;
  chunked_.reset();
  request_.head = {};
  request_.id.clear();
  request_.hold.reset();
  request_.route = kNoRoute;
  request_.parameters.clear();
  request_.body.clear();
  for (auto* text : {&in_, &head_bytes_, &request_.body}) {
    if (text->capacity() > kKeptBytes && text->size() <= kKeptBytes) text->shrink_to_fit();
  }
}

}  // namespace analytics::http
