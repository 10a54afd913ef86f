#include "cli/replay/formats/ndjson_reader.h"

#include "common/event/event_object.h"
#include "common/text/text.h"

namespace analytics::cli {
namespace {

// Maximum bytes of a line that is sent unchanged. From a longer line, only the members that the
// server reads are sent.
constexpr std::size_t kMaxBody = 32'768;

}  // namespace

bool NdjsonReader::is_event(std::string_view line) {
  const auto object = json::parse_object(trim(line));
  if (!object) return false;
  const auto has = [&](const char* name) { return object->find(name) != nullptr; };
  return (has("name") || has("n")) && (has("url") || has("u"));
}

bool NdjsonReader::is_like_event(std::string_view line) {
  const auto object = json::parse_object(trim(line));
  if (!object) return true;
  const auto has = [&](const char* name) { return object->find(name) != nullptr; };
  return has("name") || has("n") || has("url") || has("u") || has("domain") || has("d");
}

ReadLine NdjsonReader::read(std::string_view line) {
  line = trim(line);
  if (line.empty()) return NoRecord{};
  const auto object = json::parse_object(line);
  if (!object) return Error{ErrorCode::kMalformedBody, "The line is not a JSON object.", {}};
  std::string with_site;
  const auto has = [&](std::string_view key) {
    const auto* value = object->find(key);
    return value != nullptr && value->kind != json::Kind::kNull;
  };
  const auto& site = !options_.site_override.empty() ? options_.site_override
                     : !has("d") && !has("domain")   ? options_.site
                                                     : std::string();
  if (!site.empty() && line.ends_with('}')) {
    // If a member occurs several times, the server uses the last one, and it prefers the short name
    // of a field ("d") to the long one ("domain").
    const auto body = trim(line.substr(0, line.size() - 1));
    with_site =
        std::string(body) + (body.size() > 1 ? "," : "") + "\"d\":" + json::quote(site) + "}";
    line = with_site;
  }
  const PayloadRights rights{true, options_.now};
  auto payload =
      with_site.empty() ? parse_event_payload(*object, rights) : parse_event_payload(line, rights);
  if (!payload) return payload.error();
  if (options_.keep_bots) payload->keep_bots = true;
  const bool has_lines = line.find('\n') != std::string_view::npos;
  const bool is_changed = !with_site.empty() || options_.keep_bots || has_lines;
  return ReplayEvent{std::move(*payload), !is_changed && line.size() <= kMaxBody};
}

}  // namespace analytics::cli
