#include "daemon/http/framing.h"

#include <algorithm>
#include <optional>

#include "common/text/address.h"
#include "common/text/text.h"
#include "common/text/url.h"

namespace analytics::http::framing {
namespace {

constexpr std::size_t kMaxChunkLine = 256;

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char low = ascii_lower(c);
  return low >= 'a' && low <= 'f' ? low - 'a' + 10 : -1;
}

bool is_token_char(char c) {
  return (c >= '0' && c <= '9') || (ascii_lower(c) >= 'a' && ascii_lower(c) <= 'z') ||
         std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
}

bool is_token(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_token_char);
}

bool is_value(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c == '\t' || !is_control(c); });
}

/// Checks the HTTP version and sets `http_1_0`. Returns 0, or the HTTP status to refuse with.
int judge_version(std::string_view version, Head& head) {
  if (version == "HTTP/1.1") return 0;
  head.http_1_0 = version == "HTTP/1.0";
  if (head.http_1_0) return 0;
  const bool well_formed = version.size() == 8 && version.starts_with("HTTP/") &&
                           version[6] == '.' && version[5] >= '0' && version[5] <= '9' &&
                           version[7] >= '0' && version[7] <= '9';
  return well_formed ? 505 : 400;
}

bool is_clean_target(std::string_view target) {
  const bool clean = std::all_of(target.begin(), target.end(), [](char c) {
    return c > ' ' && c != 0x7f && (c & '\x80') == 0 && c != '#';
  });
  if (!clean) return false;
  const auto decoded = percent_decode(target);
  return decoded && decoded->find_first_of(std::string_view("\0\r\n", 3)) == std::string::npos;
}

/// Parses the request line into `head`. Returns 0, or the HTTP status to refuse with.
int parse_request_line(std::string_view line, const Limits& limits, Head& head) {
  if (line.size() > limits.request_line) return 414;
  const auto first = line.find(' ');
  const auto last = line.rfind(' ');
  if (first == std::string_view::npos || last == first) return 400;
  const auto method = line.substr(0, first);
  if (!is_token(method)) return 400;
  if (const int status = judge_version(line.substr(last + 1), head); status != 0) return status;
  head.method = parse_method(method);
  head.target = line.substr(first + 1, last - first - 1);
  if (head.target.empty() || !is_clean_target(head.target)) return 400;
  if (head.method == Method::kUnknown) return 501;
  auto path = head.target;
  const auto mark = path.find('?');
  if (mark != std::string_view::npos) head.query = path.substr(mark + 1);
  head.path = path.substr(0, mark);
  return 0;
}

std::string_view without_default_port(std::string_view authority) {
  if (authority.ends_with(":80")) authority.remove_suffix(3);
  return authority;
}

/// Reduces a target in absolute form ("http://host/path") to its path. The target's host must equal
/// the Host field. Returns 0, or the HTTP status to refuse with.
int resolve_target(Head& head) {
  if (head.path.starts_with('/') || head.method == Method::kConnect) return 0;
  if (head.path == "*") return head.method == Method::kOptions ? 0 : 400;
  const auto colon = head.path.find("://");
  if (colon == std::string_view::npos) return 400;
  const auto scheme = head.path.substr(0, colon);
  if (!iequals(scheme, "http") && !iequals(scheme, "https")) return 400;
  const auto rest = head.path.substr(colon + 3);
  const auto slash = rest.find('/');
  if (!iequals(without_default_port(rest.substr(0, slash)),
               without_default_port(head.field("Host")))) {
    return 400;
  }
  head.path = slash == std::string_view::npos ? std::string_view("/") : rest.substr(slash);
  return 0;
}

bool is_port(std::string_view text) {
  const auto number = text.empty() ? 0 : parse_int(text).value_or(-1);
  return number >= 0 && number <= 65'535 &&
         text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// Returns true if the text is a host with an optional port, as in RFC 3986: a name, an IPv4
/// address, or an IPv6 address in brackets.
bool is_authority(std::string_view text) {
  if (text.starts_with('[')) {
    const auto end = text.find(']');
    if (end == std::string_view::npos || !parse_address(text.substr(1, end - 1))) return false;
    text.remove_prefix(end + 1);
    return text.empty() || (text.front() == ':' && is_port(text.substr(1)));
  }
  const auto colon = text.find(':');
  if (colon != std::string_view::npos && !is_port(text.substr(colon + 1))) return false;
  const auto name = text.substr(0, colon);
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= '0' && c <= '9') || (ascii_lower(c) >= 'a' && ascii_lower(c) <= 'z') ||
           std::string_view("-._~%!$&'()*+,;=").find(c) != std::string_view::npos;
  });
}

int judge_host(const Head& head) {
  std::size_t hosts = 0;
  for (const auto& [name, value] : head.fields) {
    if (!iequals(name, "Host")) continue;
    ++hosts;
    if (!is_authority(value)) return 400;
  }
  return hosts == 1 || (hosts == 0 && head.http_1_0) ? 0 : 400;
}

int judge_length(const Head& head) {
  std::size_t lengths = 0;
  std::size_t codings = 0;
  for (const auto& [name, value] : head.fields) {
    if (iequals(name, "Content-Length")) {
      ++lengths;
      if (value.empty() || value.find_first_not_of("0123456789") != std::string_view::npos)
        return 400;
      if (!parse_int(value)) return 400;
    } else if (iequals(name, "Transfer-Encoding")) {
      ++codings;
      if (iequals(value, "chunked")) continue;
      const bool known =
          iequals(value, "gzip") || iequals(value, "deflate") || iequals(value, "compress");
      return known ? 501 : 400;
    }
  }
  if (lengths > 1 || codings > 1 || (lengths > 0 && codings > 0)) return 400;
  return codings > 0 && head.http_1_0 ? 400 : 0;
}

/// Refuses a request with two Authorization or Content-Type fields, because a proxy in front of the
/// daemon may have used one of them and the daemon would use the other. Returns 0, or the HTTP
/// status to refuse with.
int judge_single_fields(const Head& head) {
  for (const std::string_view single : {"Authorization", "Content-Type"}) {
    const auto count =
        std::count_if(head.fields.begin(), head.fields.end(),
                      [&](const auto& field) { return iequals(field.first, single); });
    if (count > 1) return 400;
  }
  return 0;
}

/// Parses the header fields into `head`. Returns 0, or the HTTP status to refuse with.
int parse_fields(std::string_view block, const Limits& limits, Head& head) {
  if (block.size() > limits.head) return 431;
  while (!block.empty()) {
    const auto end = block.find("\r\n");
    const auto line = block.substr(0, end);
    block.remove_prefix(end + 2);
    if (line.empty()) return 0;
    const auto colon = line.find(':');
    if (colon == std::string_view::npos || !is_token(line.substr(0, colon))) return 400;
    auto value = line.substr(colon + 1);
    if (!is_value(value)) return 400;
    if (head.fields.size() == limits.fields) return 431;
    head.fields.emplace_back(line.substr(0, colon), trim(value));
  }
  return 400;
}

}  // namespace

HeadScan scan_head(std::string_view bytes, const Limits& limits) {
  HeadScan scan;
  while (bytes.substr(scan.skip, 2) == "\r\n") scan.skip += 2;
  bytes.remove_prefix(scan.skip);
  const auto blank = bytes.find("\r\n\r\n");
  const auto head = bytes.substr(0, blank);
  for (auto at = head.find('\n'); at != std::string_view::npos; at = head.find('\n', at + 1)) {
    if (at == 0 || head[at - 1] != '\r') {
      scan.status = 400;
      return scan;
    }
  }
  if (blank != std::string_view::npos) {
    scan.end = blank + 4;
  } else if (head.find("\r\n") == std::string_view::npos && head.size() > limits.request_line) {
    scan.status = 414;
  } else if (head.size() > limits.request_line + limits.head) {
    scan.status = 431;
  }
  return scan;
}

int parse_head(std::string_view block, const Limits& limits, Head& head) {
  head.fields.reserve(16);
  const auto line_end = block.find("\r\n");
  if (line_end == std::string_view::npos) return 400;
  const auto line = block.substr(0, line_end);
  int status = parse_request_line(line, limits, head);
  if (status == 0) status = parse_fields(block.substr(line_end + 2), limits, head);
  if (status == 0) status = judge_host(head);
  if (status == 0) status = judge_length(head);
  if (status == 0) status = judge_single_fields(head);
  if (status == 0) status = resolve_target(head);
  if (status == 0 && head.has_field("Expect")) {
    const bool known = iequals(head.field("Expect"), "100-continue");
    if (!known) return 417;
    head.expects_continue = !head.http_1_0;  // HTTP/1.0 has no 1xx responses
  }
  return status;
}

bool ChunkGate::accept(std::string_view bytes) {
  while (!bytes.empty() && state_ != State::kDone) {
    if (state_ == State::kData) {
      const auto data = static_cast<std::size_t>(std::min<std::uint64_t>(left_, bytes.size()));
      left_ -= data;
      raw_ += data;
      bytes.remove_prefix(data);
      if (left_ == 0) state_ = State::kDataCr;
      continue;
    }
    if (!step(bytes.front())) return false;
    ++raw_;
    bytes.remove_prefix(1);
  }
  return true;
}

bool ChunkGate::step(char c) {
  const auto expect = [&](char wanted, State next) {
    state_ = next;
    return c == wanted;
  };
  switch (state_) {
    case State::kSize:
    case State::kExtension:
      if (c == '\r') {
        state_ = State::kSizeEnd;
        return has_digit_;
      }
      if (++line_ > kMaxChunkLine) return false;
      if (state_ == State::kExtension) return c == '\t' || !is_control(c);
      if (const int digit = hex_value(c); digit >= 0) {
        if (left_ > (UINT64_MAX >> 5)) return false;
        left_ = left_ * 16 + static_cast<unsigned>(digit);
        has_digit_ = true;
        return true;
      }
      state_ = State::kExtension;
      return has_digit_ && c == ';';
    case State::kSizeEnd:
      if (left_ > UINT64_MAX - data_) return false;
      data_ += left_;
      return expect('\n', left_ == 0 ? State::kTrailer : State::kData);
    case State::kDataCr: return expect('\r', State::kDataLf);
    case State::kDataLf:
      line_ = 0;
      has_digit_ = false;
      return expect('\n', State::kSize);
    case State::kTrailer: return step_trailer(c);
    case State::kData:
    case State::kDone: return true;
  }
  return false;
}

/// Checks a byte of the trailer section. The fields are discarded, as RFC 9112, section 7.1.2,
/// allows. Returns false if the request must be refused.
bool ChunkGate::step_trailer(char c) {
  if (++trailer_bytes_ > kMaxTrailer) return false;
  trailer_ += c;
  if (c != '\n') return true;
  if (!trailer_.ends_with("\r\n")) return false;
  const auto line = std::string_view(trailer_).substr(0, trailer_.size() - 2);
  if (line.empty()) {
    state_ = State::kDone;
    return true;
  }
  const auto colon = line.find(':');
  const bool is_field = colon != std::string_view::npos && is_token(line.substr(0, colon)) &&
                        is_value(line.substr(colon + 1));
  trailer_.clear();
  return is_field && ++trailer_fields_ <= kMaxTrailerFields;
}

}  // namespace analytics::http::framing
