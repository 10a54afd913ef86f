#include "daemon/http/framing.h"

#include <algorithm>
#include <optional>

#include "common/text.h"
#include "common/url.h"

namespace analytics::http::framing {
namespace {

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

/// 0 when the version is spoken, else the status.
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

/// Splits the request line and judges its parts. 0, or the status.
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

/// An absolute-form target must name the host of the Host field; its path is what counts.
int resolve_target(Head& head) {
  if (head.path.starts_with('/') || head.method == Method::kConnect) return 0;
  if (head.path == "*") return head.method == Method::kOptions ? 0 : 400;
  const auto colon = head.path.find("://");
  if (colon == std::string_view::npos) return 400;
  const auto scheme = head.path.substr(0, colon);
  if (!iequals(scheme, "http") && !iequals(scheme, "https")) return 400;
  const auto rest = head.path.substr(colon + 3);
  const auto slash = rest.find('/');
  if (!iequals(rest.substr(0, slash), head.field("Host"))) return 400;
  head.path = slash == std::string_view::npos ? std::string_view("/") : rest.substr(slash);
  return 0;
}

int judge_host(const Head& head) {
  std::size_t hosts = 0;
  for (const auto& [name, value] : head.fields) {
    if (!iequals(name, "Host")) continue;
    ++hosts;
    if (value.find_first_of(" \t,/@?#\\") != std::string_view::npos) return 400;
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

/// 0, or the status.
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

tl::expected<Head, int> parse_head(std::string_view block, const Limits& limits) {
  Head head;
  head.fields.reserve(16);
  const auto line_end = block.find("\r\n");
  if (line_end == std::string_view::npos) return tl::unexpected(400);
  const auto line = block.substr(0, line_end);
  int status = parse_request_line(line, limits, head);
  if (status == 0) status = parse_fields(block.substr(line_end + 2), limits, head);
  if (status == 0) status = judge_host(head);
  if (status == 0) status = judge_length(head);
  if (status == 0) status = resolve_target(head);
  if (status == 0 && head.has_field("Expect")) {
    head.expects_continue = iequals(head.field("Expect"), "100-continue");
    if (!head.expects_continue) status = 417;
  }
  if (status != 0) return tl::unexpected(status);
  return head;
}

}  // namespace analytics::http::framing
