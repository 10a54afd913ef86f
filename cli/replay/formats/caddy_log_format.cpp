// Caddy's access log: a JSON object a line, the request inside it.
#include <cmath>

#include <nlohmann/json.hpp>

#include "cli/replay/formats/access_log_format.h"
#include "cli/replay/formats/log_client.h"
#include "cli/replay/formats/log_head.h"
#include "common/json.h"

namespace analytics::cli {
namespace {

std::string logged_text(const nlohmann::json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? log_text(found->get<std::string>()) : "";
}

/// The first value of a header field.
std::string header_of(const nlohmann::json& request, const char* name) {
  const auto headers = request.find("headers");
  if (headers == request.end() || !headers->is_object()) return {};
  const auto values = headers->find(name);
  if (values == headers->end() || !values->is_array() || values->empty()) return {};
  return (*values)[0].is_string() ? log_text((*values)[0].get<std::string>()) : "";
}

std::optional<UnixMillis> time_of(const nlohmann::json& line) {
  const auto found = line.find("ts");
  if (found == line.end()) return std::nullopt;
  if (found->is_string()) return parse_rfc3339(found->get<std::string>());
  if (!found->is_number()) return std::nullopt;
  const auto seconds = found->get<double>();
  if (!(std::abs(seconds) < 1e11)) return std::nullopt;
  return UnixMillis(
      std::chrono::milliseconds(static_cast<std::int64_t>(std::floor(seconds * 1e3))));
}

class CaddyFormat final : public AccessLogFormat {
 public:
  Parsed parse(std::string_view line_text, AccessLogEntry& entry) override {
    std::string buffer;
    const auto text = bare_json(line_text, buffer);
    if (!text.starts_with('{')) return Parsed::kMalformed;
    const auto line = json::parse_document(text);
    if (!line || !line->is_object()) return Parsed::kMalformed;
    const auto request = line->find("request");
    const auto status = line->find("status");
    const auto time = time_of(*line);
    if (request == line->end() || !request->is_object() || status == line->end() ||
        !status->is_number_integer() || !time) {
      return Parsed::kMalformed;
    }
    entry.time = *time;
    entry.status = status->get<int>();
    entry.address = logged_text(*request, "client_ip");
    if (entry.address.empty()) entry.address = logged_text(*request, "remote_ip");
    if (entry.address.empty()) {  // before Caddy 2.5
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
