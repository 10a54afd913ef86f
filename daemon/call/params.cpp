#include "daemon/call/params.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "common/json/json.h"
#include "common/text/text.h"

namespace analytics::api {
namespace {

constexpr std::int64_t kMaxLimit = 1'000;
constexpr std::string_view kCursorMark = "c";

tl::unexpected<Error> malformed(const char* message) {
  return fail(ErrorCode::kMalformedBody, message);
}

using Structure = KnownParameter::Structure;

constexpr KnownParameter kKnown[] = {
    {"site_id"},
    {"domain"},
    {"timezone"},
    {"keep"},
    {"keep_totals"},
    {"languages"},
    {"confirm"},
    {"name"},
    {"goal_type"},
    {"display_name"},
    {"event_name"},
    {"page_type"},
    {"page_path"},
    {"scroll_threshold"},
    {"custom_props", true, Structure::kObject},
    {"property"},
    {"steps", true, Structure::kList},
    {"within"},
    {"period"},
    {"expires_at"},
    {"frame_ancestors"},
    {"type"},
    {"from"},
    {"to"},
    {"source"},
    {"import"},
    {"ids"},
    {"dry_run"},
    {"silent_hours"},
    {"password", false},
    {"token", false},
    {"value", false},
    {"prop", false},
    {"visitor_of", false},
    {"filters", false, Structure::kList},
    {"page", false},
};

/// Returns the parameter with this name; null if no route for changes knows it.
const KnownParameter* find_known(std::string_view name) {
  const auto* found = std::find_if(std::begin(kKnown), std::end(kKnown),
                                   [&](const auto& known) { return known.name == name; });
  return found == std::end(kKnown) ? nullptr : found;
}

tl::unexpected<Error> not_single(std::string_view name) {
  return fail({ErrorCode::kMalformedBody,
               std::string(name) + " must be a single value.",
               {{std::string(name), "must be a single value"}}});
}

Result<Parameters> parse_json_parameters(std::string_view body) {
  const auto object = TRY(json::parse_object(body));
  Parameters parameters;
  std::optional<nlohmann::json> document;  // the parsed body, once a list needs it
  for (const auto& [key, value] : object.members) {
    if (value.kind == json::Kind::kNull) continue;
    const auto* known = find_known(key);
    if (value.is_scalar() || known == nullptr) {
      parameters.emplace_back(key, value.is_scalar() ? value.text : std::string());
      continue;
    }
    const auto sent = value.kind == json::Kind::kArray ? Structure::kList : Structure::kObject;
    if (sent != known->structure) return not_single(key);
    if (sent == Structure::kObject && value.members.empty()) continue;
    if (!document) {
      document = TRY(json::parse_document(body));
    }
    // nlohmann/json keeps the last value of a repeated name
    const auto last = document->find(key);
    if (last != document->end() && last->is_structured()) {
      parameters.emplace_back(key, last->dump());
    }
  }
  return parameters;
}

/// Finds the parameters that no route for changes knows. A form's parameter may have brackets, as
/// in "custom_props[plan]", which count as a list or an object in JSON do.
Result<Params> without_unknown(Parameters all) {
  std::vector<std::string> ignored;
  for (auto& [name, value] : all) {
    const auto bracket = name.find('[');
    const auto plain = std::string_view(name).substr(0, bracket);
    const auto* known = find_known(plain);
    if (known == nullptr) {
      ignored.emplace_back(plain);
    } else if (bracket != std::string::npos) {
      if (known->structure == Structure::kNone) return not_single(plain);
      name.resize(bracket);
    }
  }
  return Params(std::move(all), std::move(ignored));
}

Result<Parameters> read_body(const http::Request& request) {
  if (request.body.empty()) return Parameters{};  // an empty body may have any type
  const auto content_type = request.head.field("Content-Type");
  const auto type = media_type(content_type);
  if (type == "application/json") {
    if (trim(request.body).empty()) return Parameters{};
    return parse_json_parameters(request.body);
  }
  if (type == "application/x-www-form-urlencoded") {
    auto form = parse_form(request.body);
    if (!form) return malformed("The form is badly encoded.");
    return std::move(*form);
  }
  if (type == "multipart/form-data") {
    return parse_multipart(request.body, media_parameter(content_type, "boundary"));
  }
  return fail(ErrorCode::kUnsupportedMediaType,
              "Send application/x-www-form-urlencoded, multipart/form-data or application/json.");
}

}  // namespace

std::span<const KnownParameter> known_parameters() { return kKnown; }

const std::string* Params::find(std::string_view name) const {
  for (auto at = values_.rbegin(); at != values_.rend(); ++at) {
    if (at->first == name) return &at->second;
  }
  return nullptr;
}

const std::string* Params::find_text(std::string_view name) const {
  const auto* text = find(name);
  return text == nullptr || trim(*text).empty() ? nullptr : text;
}

Result<std::optional<bool>> Params::flag(const char* name) const {
  const auto* text = find_text(name);
  if (text == nullptr) return std::nullopt;
  if (*text == "true" || *text == "false") return *text == "true";
  return fail({ErrorCode::kInvalidParameter,
               std::string(name) + " must be true or false.",
               {{name, "must be true or false"}}});
}

Result<std::string> Params::require(std::string_view name) const {
  const auto* value = find(name);
  if (value != nullptr && !trim(*value).empty()) return *value;
  return fail({ErrorCode::kMissingParameter,
               std::string(name) + " is required.",
               {{std::string(name), "is required"}}});
}

Result<store::PageRequest> Params::page() const {
  store::PageRequest page;
  const auto refuse = [](const char* name, const char* problem) {
    return fail(
        {ErrorCode::kInvalidParameter, std::string(name) + " " + problem + ".", {{name, problem}}});
  };
  if (const auto* limit = find("limit")) {
    const auto value = parse_int(trim(*limit));
    if (!value || *value < 1 || *value > kMaxLimit) return refuse("limit", "must be 1 to 1000");
    page.limit = *value;
  }
  const auto* after = find("after");
  const auto* before = find("before");
  if (after != nullptr && before != nullptr)
    return refuse("after", "cannot be combined with before");
  if (after != nullptr && !(page.after = decode_cursor(*after)))
    return refuse("after", "is not a cursor");
  if (before != nullptr && !(page.before = decode_cursor(*before)))
    return refuse("before", "is not a cursor");
  return page;
}

Status check_unencoded(const http::Head& head) {
  const auto encoding = head.field("Content-Encoding");
  if (encoding.empty() || iequals(encoding, "identity")) return {};
  return fail(ErrorCode::kUnsupportedMediaType, "This route does not accept a Content-Encoding.");
}

Result<Params> read_params(const http::Request& request) {
  using http::Method;
  const auto method = request.head.method;
  Parameters all;
  if (method == Method::kGet || method == Method::kHead || method == Method::kDelete) {
    auto query = parse_form(request.head.query);
    if (!query) return fail(ErrorCode::kInvalidParameter, "The query string is badly encoded.");
    all = std::move(*query);
  }
  if (method == Method::kGet || method == Method::kHead) return Params(std::move(all));
  TRY(check_unencoded(request.head));
  auto body = TRY(read_body(request));
  for (auto& pair : body) all.push_back(std::move(pair));
  return without_unknown(std::move(all));
}

Result<Parameters> parse_multipart(std::string_view body, std::string_view boundary) {
  if (boundary.empty() || boundary.size() > 200)
    return malformed("The multipart boundary is missing.");
  const auto delimiter = "--" + std::string(boundary);
  Parameters parameters;
  auto at = body.find(delimiter);
  if (at == std::string_view::npos) return malformed("The multipart body has no parts.");
  body.remove_prefix(at + delimiter.size());
  const auto separator = "\r\n" + delimiter;
  while (!body.starts_with("--")) {
    const auto line_end = body.find("\r\n");
    if (line_end == std::string_view::npos || !trim(body.substr(0, line_end)).empty()) {
      return malformed("The multipart body is cut short.");
    }
    // The CRLF of the boundary line stays: with it, an empty part header also ends with two CRLFs.
    body.remove_prefix(line_end);
    const auto head_end = body.find("\r\n\r\n");
    const auto part_end =
        body.find(separator, head_end == std::string_view::npos ? 0 : head_end + 2);
    if (head_end == std::string_view::npos || part_end == std::string_view::npos) {
      return malformed("The multipart body is cut short.");
    }
    std::string name;
    for (const auto line : split(body.substr(0, head_end), '\n')) {
      if (istarts_with(line, "content-disposition:")) name = media_parameter(line, "name");
    }
    const auto value_at = head_end + 4;
    std::string value(part_end < value_at ? "" : body.substr(value_at, part_end - value_at));
    if (name.empty() || !is_valid_utf8(name) || !is_valid_utf8(value)) {
      return malformed("A part of the multipart body has no name, or is not UTF-8.");
    }
    parameters.emplace_back(std::move(name), std::move(value));
    body.remove_prefix(part_end + separator.size());
  }
  return parameters;
}

std::optional<std::int64_t> parse_id(std::string_view text) {
  const auto id = parse_int(text);
  return id && std::to_string(*id) == text ? id : std::nullopt;
}

std::string encode_cursor(std::int64_t id) {
  const auto value = static_cast<std::uint64_t>(id);
  std::uint8_t bytes[8];
  for (std::size_t i = 0; i < 8; ++i) bytes[i] = static_cast<std::uint8_t>(value >> (56 - 8 * i));
  return std::string(kCursorMark) + to_hex(bytes, sizeof bytes);
}

std::optional<std::int64_t> decode_cursor(std::string_view cursor) {
  if (cursor.size() != 17 || !cursor.starts_with(kCursorMark)) return std::nullopt;
  const auto bytes = parse_hex(cursor.substr(1));
  if (!bytes) return std::nullopt;
  std::uint64_t value = 0;
  for (const auto byte : *bytes) value = value << 8 | byte;
  const auto id = static_cast<std::int64_t>(value);
  // Encode again to reject hexadecimal digits in upper case.
  return encode_cursor(id) == cursor ? std::optional(id) : std::nullopt;
}

std::string media_type(std::string_view content_type) {
  return ascii_lower(trim(content_type.substr(0, content_type.find(';'))));
}

std::string media_parameter(std::string_view content_type, std::string_view name) {
  auto at = content_type.find(';');
  while (at < content_type.size()) {
    const auto equals = content_type.find_first_of("=;", ++at);
    if (equals == std::string_view::npos) return {};
    const auto key = trim(content_type.substr(at, equals - at));
    at = equals;
    if (content_type[equals] == ';') continue;
    std::string value;
    bool quoted = false;  // a quoted string may contain anything, including `;`
    for (++at; at < content_type.size() && (quoted || content_type[at] != ';'); ++at) {
      if (content_type[at] == '"') {
        quoted = !quoted;
      } else {
        if (quoted && content_type[at] == '\\' && at + 1 < content_type.size()) ++at;
        value += content_type[at];
      }
    }
    if (iequals(key, name)) return std::string(trim(value));
  }
  return {};
}

}  // namespace analytics::api
