// Caddy's access log: one JSON object per line with a nested object for the request.
#include <algorithm>
#include <cmath>

#include "cli/replay/formats/access_log_format.h"
#include "cli/replay/formats/log_client.h"
#include "cli/replay/formats/log_head.h"
#include "common/json/json.h"
#include "common/text/text.h"

namespace analytics::cli {
namespace {

// Levels of nested objects to keep: the line, its request and the request's headers.
constexpr json::Limits kLimits{.kept = 3};

std::string logged_text(const json::Value& request, const char* name) {
  const auto* found = json::find_member(request.members, name);
  return found != nullptr && found->kind == json::Kind::kString ? log_text(found->text) : "";
}

/// Returns the first value of a request's header field; empty if the field is missing.
std::string header_of(const json::Value& request, const char* name) {
  const auto* headers = json::find_member(request.members, "headers");
  const auto* values = headers == nullptr ? nullptr : json::find_member(headers->members, name);
  return values != nullptr && values->kind == json::Kind::kArray ? log_text(values->text) : "";
}

std::optional<UnixMillis> time_of(const json::Object& line) {
  const auto* found = line.find("ts");
  if (found == nullptr) return std::nullopt;
  if (found->kind == json::Kind::kString) return parse_rfc3339(found->text);
  const bool is_number = found->kind == json::Kind::kInteger || found->kind == json::Kind::kDecimal;
  const auto seconds = is_number ? parse_double(found->text) : std::nullopt;
  if (!seconds || !(std::abs(*seconds) < 1e11)) return std::nullopt;
  return UnixMillis(
      std::chrono::milliseconds(static_cast<std::int64_t>(std::floor(*seconds * 1e3))));
}

class CaddyFormat final : public AccessLogFormat {
 public:
  Parsed parse(std::string_view line_text, AccessLogEntry& entry) override {
    std::string buffer;
    const auto text = bare_json(line_text, buffer);
    if (!text.starts_with('{')) return Parsed::kMalformed;
    const auto line = json::parse_object(text, kLimits);
    if (!line) return Parsed::kMalformed;
    const auto* request = line->find("request");
    const auto* status = line->find("status");
    const auto time = time_of(*line);
    const bool is_entry = request != nullptr && request->kind == json::Kind::kObject &&
                          status != nullptr && status->kind == json::Kind::kInteger && time;
    if (!is_entry) return Parsed::kMalformed;
    entry.time = *time;
    entry.status =
        static_cast<int>(std::clamp<std::int64_t>(parse_int(status->text).value_or(0), 0, 999));
    entry.address = logged_text(*request, "client_ip");
    if (entry.address.empty()) entry.address = logged_text(*request, "remote_ip");
    if (entry.address.empty()) {  // Caddy before 2.5 logs address and port
      entry.address = without_client_port(logged_text(*request, "remote_addr"));
    }
    entry.forwarded = header_of(*request, "X-Forwarded-For");
    entry.method = logged_text(*request, "method");
    entry.target = logged_text(*request, "uri");
    entry.host = logged_text(*request, "host");
    entry.referrer = header_of(*request, "Referer");
    entry.user_agent = header_of(*request, "User-Agent");
    return Parsed::kEntry;
  }
};

}  // namespace

std::unique_ptr<AccessLogFormat> make_caddy_format() { return std::make_unique<CaddyFormat>(); }

}  // namespace analytics::cli
