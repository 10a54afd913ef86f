#include "daemon/http/request_reader.h"

#include <algorithm>

#include <boost/beast/http.hpp>

#include "common/text.h"

namespace analytics::http {
namespace {

namespace beast_http = boost::beast::http;
constexpr std::size_t kKeptBytes = 16'384;  // larger buffers go back when a request is done

bool has_token(std::string_view list, std::string_view token) {
  const auto parts = split(list, ',');
  return std::any_of(parts.begin(), parts.end(),
                     [&](std::string_view part) { return iequals(trim(part), token); });
}

}  // namespace

/// The gate judges the raw bytes, the parser decodes what passes.
class RequestReader::ChunkedBody {
 public:
  ChunkedBody(std::string_view head, std::size_t limit) {
    parser_.eager(true);
    parser_.header_limit(static_cast<std::uint32_t>(head.size() + 1));
    parser_.body_limit(limit);
    boost::system::error_code error;
    parser_.put(boost::asio::buffer(head), error);
    if (error && error != beast_http::error::need_more) status_ = 400;
  }

  /// Takes what it can off the front of `in`. 0, or the status to refuse with.
  int take(std::string& in) {
    if (status_ != 0) return status_;
    if (!gate_.accept(std::string_view(in).substr(judged_))) return 400;
    boost::system::error_code error;
    while (!parser_.is_done() && !in.empty()) {
      const auto used = parser_.put(boost::asio::buffer(in), error);
      in.erase(0, used);
      if (error || used == 0) break;
    }
    judged_ = in.size();
    if (error == beast_http::error::body_limit) return 413;
    return error && error != beast_http::error::need_more ? 400 : 0;
  }
  [[nodiscard]] bool is_done() const { return parser_.is_done(); }
  std::string take_body() { return std::move(parser_.get().body()); }

 private:
  framing::ChunkGate gate_;
  beast_http::request_parser<beast_http::string_body> parser_;
  std::size_t judged_ = 0;  ///< Bytes of the input that have passed the gate.
  int status_ = 0;
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

/// What a head that never became whole asked for, so that its refusal fits.
void RequestReader::learn_target() {
  const auto line = in_.find("\r\n");
  if (line == std::string::npos) return;
  head_bytes_.assign(in_, 0, line + 2).append("\r\n");
  (void)framing::parse_head(head_bytes_, limits_, request_.head);
}

void RequestReader::begin_body(std::size_t limit) {
  phase_ = Phase::kBody;
  body_limit_ = limit;
  // The gate let nothing but one plain number or `chunked` pass.
  const auto length = parse_int(request_.head.field("Content-Length")).value_or(0);
  body_length_ = static_cast<std::size_t>(length);
  if (request_.head.has_field("Transfer-Encoding")) {
    chunked_ = std::make_unique<ChunkedBody>(head_bytes_, limit);
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
  if (const int status = chunked_->take(in_); status != 0) return refuse(status);
  if (!chunked_->is_done()) {
    const bool ask = in_.empty() && std::exchange(request_.head.expects_continue, false);
    return ask ? Step::kContinue : Step::kNeedMore;
  }
  request_.body = chunked_->take_body();
  return Step::kRequest;
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
  chunked_.reset();
  request_.head = {};
  request_.id.clear();
  request_.hold.reset();
  request_.route = kNoRoute;
  request_.body.clear();
  for (auto* text : {&in_, &head_bytes_, &request_.body}) {
    if (text->capacity() > kKeptBytes && text->size() <= kKeptBytes) text->shrink_to_fit();
  }
}

}  // namespace analytics::http
