#include "daemon/http/message.h"

#include <iterator>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "common/text/text.h"

namespace analytics::http {
namespace {

constexpr std::pair<Method, std::string_view> kMethods[] = {
    {Method::kGet, "GET"},         {Method::kHead, "HEAD"},   {Method::kPost, "POST"},
    {Method::kPut, "PUT"},         {Method::kPatch, "PATCH"}, {Method::kDelete, "DELETE"},
    {Method::kOptions, "OPTIONS"}, {Method::kTrace, "TRACE"}, {Method::kConnect, "CONNECT"},
};

/// Returns true if responses with this status have no body.
bool is_bare(int status) { return status == 204 || status == 304; }

}  // namespace

Method parse_method(std::string_view text) {
  for (const auto& [method, name] : kMethods) {
    if (name == text) return method;
  }
  return Method::kUnknown;
}

std::string_view method_name(Method value) {
  for (const auto& [method, name] : kMethods) {
    if (method == value) return name;
  }
  return "UNKNOWN";
}

std::string_view Head::field(std::string_view name) const {
  for (const auto& [key, value] : fields) {
    if (iequals(key, name)) return value;
  }
  return {};
}

bool Head::has_field(std::string_view name) const {
  return std::any_of(fields.begin(), fields.end(),
                     [&](const auto& field) { return iequals(field.first, name); });
}

std::string Head::joined(std::string_view name) const {
  std::string all;
  for (const auto& [key, value] : fields) {
    if (!iequals(key, name)) continue;
    if (!all.empty()) all += ", ";
    all += value;
  }
  return all;
}

Response::Response(int status, std::string content_type, std::string body)
    : status_(status), body_(std::move(body)) {
  set("Content-Type", content_type);
}

Response Response::of_file(int status, std::string content_type, std::string_view body) {
  Response response(status, std::move(content_type), std::string());
  response.file_ = body;
  return response;
}

Response::Response(int status, std::string content_type, BodyParts parts)
    : status_(status), parts_(std::move(parts)) {
  set("Content-Type", content_type);
}

Response& Response::set(std::string_view name, std::string_view value) {
  for (const char c : value) {
    if (is_control(c) || (c & '\x80') != 0) throw std::invalid_argument("unsafe header value");
  }
  fields_.append(name).append(": ").append(value).append("\r\n");
  return *this;
}

Response Response::with_body(int status, std::string body) const {
  Response other;
  other.status_ = status;
  other.fields_ = fields_;
  other.body_ = std::move(body);
  return other;
}

std::string_view Response::field(std::string_view name) const {
  for (std::string_view rest = fields_; !rest.empty();) {
    const auto line = rest.substr(0, rest.find("\r\n"));
    if (line.starts_with(name) && line.substr(name.size()).starts_with(": ")) {
      return line.substr(name.size() + 2);
    }
    rest.remove_prefix(line.size() + 2);
  }
  return {};
}

Responder::Once::~Once() {
  send(Response(500, "application/json", R"({"error":"Internal error.","code":"internal"})"));
}

void Responder::Once::send(Response response) {
  if (const auto client = std::exchange(client_, nullptr)) client->send(std::move(response));
}

Responder Responder::changing(Change change) const {
  class Changing final : public Client {
   public:
    Changing(Responder behind, Change change)
        : behind_(std::move(behind)), change_(std::move(change)) {}
    void send(Response response) override { behind_(change_(std::move(response))); }
    Abandoned watch() override { return behind_.watch_client(); }

   private:
    const Responder behind_;
    const Change change_;
  };
  return Responder(std::make_unique<Changing>(*this, std::move(change)));
}

std::string_view reason_phrase(int status) {
  switch (status) {
    case 100: return "Continue";
    case 200: return "OK";
    case 202: return "Accepted";
    case 204: return "No Content";
    case 303: return "See Other";
    case 304: return "Not Modified";
    case 400: return "Bad Request";
    case 401: return "Unauthorized";
    case 403: return "Forbidden";
    case 404: return "Not Found";
    case 405: return "Method Not Allowed";
    case 408: return "Request Timeout";
    case 409: return "Conflict";
    case 413: return "Content Too Large";
    case 414: return "URI Too Long";
    case 415: return "Unsupported Media Type";
    case 417: return "Expectation Failed";
    case 422: return "Unprocessable Content";
    case 429: return "Too Many Requests";
    case 431: return "Request Header Fields Too Large";
    case kClientClosedRequest: return "Client Closed Request";
    case 500: return "Internal Server Error";
    case 501: return "Not Implemented";
    case 503: return "Service Unavailable";
    case 505: return "HTTP Version Not Supported";
    default: return "Unknown";
  }
}

std::string_view sent_body(const Response& response, Method method) {
  const bool has_body = !is_bare(response.status()) && method != Method::kHead;
  return has_body ? response.body() : std::string_view();
}

void append_head(std::string& out, const Response& response, const ResponseFrame& frame) {
  const auto into = std::back_inserter(out);
  fmt::format_to(into, "HTTP/1.1 {} {}\r\n{}{}{}X-Request-Id: {}\r\n", response.status(),
                 reason_phrase(response.status()), frame.date_field, response.fields(),
                 frame.fields, frame.request_id);
  if (frame.chunked) {
    out += "Transfer-Encoding: chunked\r\n";
  } else if (!is_bare(response.status()) && !response.parts()) {
    fmt::format_to(into, "Content-Length: {}\r\n", response.body().size());
  }
  out += frame.close ? "Connection: close\r\n\r\n" : "\r\n";
}

const std::string& DateField::now() {
  const auto now = std::time(nullptr);
  if (now != at_) {
    at_ = now;
    field_ = fmt::format("Date: {:%a, %d %b %Y %H:%M:%S} GMT\r\n", fmt::gmtime(now));
  }
  return field_;
}

std::string chunk_of(std::string_view part) {
  return fmt::format("{:x}\r\n{}\r\n", part.size(), part);
}

}  // namespace analytics::http
