#include "cli/replay/formats/field_map.h"

#include <algorithm>

#include "cli/replay/formats/event_rules.h"
#include "cli/replay/formats/log_time.h"
#include "common/event/event_object.h"
#include "common/text/address.h"
#include "common/text/text.h"

namespace analytics::cli {
namespace {

/// The kind of JSON value that the text of a column is converted to for an event's field.
enum class Form { kText, kJson, kBoolean };
struct EventField {
  std::string_view name;
  Form form;
};
constexpr EventField kEventFields[] = {{"id", Form::kText},
                                       {"domain", Form::kText},
                                       {"name", Form::kText},
                                       {"url", Form::kText},
                                       {"referrer", Form::kText},
                                       {"screen_width", Form::kText},
                                       {"interactive", Form::kBoolean},
                                       {"props", Form::kJson},
                                       {"revenue", Form::kJson},
                                       {"e", Form::kText},
                                       {"sd", Form::kText},
                                       {"ip", Form::kText},
                                       {"user_agent", Form::kText},
                                       {"visitor", Form::kText},
                                       {"visit", Form::kText},
                                       {"country", Form::kText},
                                       {"region", Form::kText},
                                       {"city", Form::kText},
                                       {"device", Form::kText},
                                       {"browser", Form::kText},
                                       {"browser_version", Form::kText},
                                       {"os", Form::kText},
                                       {"os_version", Form::kText},
                                       {"screen", Form::kText},
                                       {"language", Form::kText}};

/// A field of a logged request, and its columns in the logs of known servers: nginx's variables,
/// Traefik, Envoy, Cloudflare, Google's load balancers, and common names in custom formats.
struct RequestField {
  std::string_view name;
  std::initializer_list<std::string_view> columns;
};
const RequestField kRequestFields[] = {
    {"timestamp",
     {"time_iso8601", "msec", "time_local", "@timestamp", "time", "ts", "datetime", "date",
      "StartUTC", "start_time", "EdgeStartTimestamp", "startTime", "created_at", "time_micros",
      "proxy.timestamp"}},
    {"method",
     {"request_method", "RequestMethod", "ClientRequestMethod", "httpRequest.requestMethod", "verb",
      "req.method", "http_method", "cs_method", "properties.httpMethod", "proxy.method",
      "properties.CsMethod"}},
    {"status",
     {"DownstreamStatus", "EdgeResponseStatus", "httpRequest.status", "status_code", "statusCode",
      "response_code", "responseCode", "response", "res.statusCode", "http_status", "sc_status",
      "response_status", "properties.httpStatusCode", "properties.httpStatus", "proxy.statusCode",
      "properties.ScStatus"}},
    {"target",
     {"request_uri", "RequestPath", "ClientRequestURI", "httpRequest.requestUrl", "uri", "req.url",
      "request_url", "cs_uri", "properties.requestUri", "properties.CsUriStem", "path"}},
    {"request", {}},
    {"host",
     {"http_host", "RequestHost", "ClientRequestHost", "authority", ":authority", "server_name",
      "vhost", "cs_host", "properties.host", "properties.CsHost", "hostname"}},
    {"ip",
     {"remote_addr", "ClientHost", "ClientIP", "httpRequest.remoteIp", "client_ip", "clientip",
      "remote_ip", "remote_address", "remoteAddress", "downstream_remote_address", "client",
      "req.remoteAddress", "req.remote_address", "c_ip", "properties.clientIp",
      "properties.clientIP", "proxy.clientIp", "properties.CIp"}},
    {"forwarded",
     {"http_x_forwarded_for", "x_forwarded_for", "x-forwarded-for", "X-Forwarded-For",
      "request_X-Forwarded-For", "xff", "req.headers.x-forwarded-for", "http_x_real_ip",
      "x_real_ip", "x-real-ip"}},
    {"user_agent",
     {"http_user_agent", "request_User-Agent", "ClientRequestUserAgent", "httpRequest.userAgent",
      "userAgent", "useragent", "agent", "req.headers.user-agent", "cs_user_agent",
      "request_user_agent", "properties.userAgent", "proxy.userAgent", "properties.UserAgent"}},
    {"referrer",
     {"http_referer", "request_Referer", "ClientRequestReferer", "httpRequest.referer", "referer",
      "http_referrer", "cs_referer", "request_referer", "properties.referer", "properties.referrer",
      "proxy.referer", "properties.Referer"}},
};

/// Fields and their columns in Vercel's logs, which are preferred to all other columns: `proxy`
/// describes the visitor's request, while `host` and `path` are those of the deployment that
/// answers it.
constexpr std::pair<std::string_view, std::string_view> kOfVercel[] = {{"host", "proxy.host"},
                                                                       {"target", "proxy.path"}};

const RequestField* find_request_field(std::string_view name) {
  const auto* found = std::find_if(std::begin(kRequestFields), std::end(kRequestFields),
                                   [&](const RequestField& field) { return field.name == name; });
  return found == std::end(kRequestFields) ? nullptr : found;
}

std::string unless_dash(std::optional<std::string> value) {
  return !value || *value == "-" ? std::string() : log_text(*value);
}

ReadLine malformed(std::string message) {
  return Error{ErrorCode::kInvalidEvent, std::move(message), {}};
}

/// Returns an object with the properties that `--map prop.NAME=column` sets; nullopt if it has
/// none.
std::optional<json::Value> mapped_props(const ReaderOptions& options, const ColumnValue& value) {
  json::Value props{json::Kind::kObject, {}, {}};
  for (const auto& [field, column] : options.map) {
    if (!std::string_view(field).starts_with(kPropPrefix)) continue;
    auto text = value(column);
    if (!text || text->empty()) continue;
    if (!is_valid_utf8(*text)) text = log_text(*text);
    props.members.push_back(
        {field.substr(kPropPrefix.size()), {json::Kind::kString, std::move(*text), {}}});
  }
  return props.members.empty() ? std::nullopt : std::optional(std::move(props));
}

}  // namespace

bool is_mapped_field(std::string_view field) {
  if (find_request_field(field) != nullptr) return true;
  if (field.starts_with(kPropPrefix) && field.size() > kPropPrefix.size()) return true;
  return std::any_of(std::begin(kEventFields), std::end(kEventFields),
                     [&](const EventField& known) { return known.name == field; });
}

std::string mapped_field_names() {
  std::vector<std::string> names;
  for (const auto& field : kEventFields) names.emplace_back(field.name);
  names.insert(names.end(), {"timestamp", "prop.NAME"});
  for (const auto* name : {"method", "status", "target", "request", "host", "forwarded"})
    names.emplace_back(name);
  return join(names, ", ");
}

FieldMap::FieldMap(ReaderOptions options) : options_(std::move(options)), pages_(options_) {
  for (const auto& [field, column] : options_.map) mapped_[field] = column;
}

bool FieldMap::is_mapped_column(std::string_view column) const {
  return std::any_of(options_.map.begin(), options_.map.end(),
                     [&](const auto& each) { return each.second == column; });
}

std::optional<std::string> FieldMap::find(std::string_view field, const ColumnValue& value) {
  if (const auto own = mapped_.find(field); own != mapped_.end()) return value(own->second);
  // A column that --map assigns to one field is not used for another, except for the fields that
  // every record needs.
  const auto* log = find_request_field(field);
  const bool is_needed = log != nullptr || field == "url";
  const auto column_value = [&](std::string_view column) {
    return !is_needed && is_mapped_column(column) ? std::nullopt : value(column);
  };
  for (const auto& [name, column] : kOfVercel) {
    if (name != field) continue;
    if (auto text = column_value(column)) return text;
  }
  if (const auto last = found_.find(field); last != found_.end()) {
    if (auto text = column_value(last->second)) return text;
  }
  if (auto own = column_value(field)) {
    found_.insert_or_assign(std::string(field), std::string(field));
    return own;
  }
  if (log == nullptr) return std::nullopt;
  for (const auto column : log->columns) {
    if (auto text = column_value(column)) {
      found_.insert_or_assign(std::string(field), std::string(column));
      return text;
    }
  }
  return std::nullopt;
}

bool FieldMap::is_request(const ColumnValue& value) {
  if (!find("status", value)) return false;
  return find("target", value) || find("request", value) || find("url", value);
}

bool FieldMap::fits(const ColumnValue& value) {
  return !options_.map.empty() || find("url", value) ||
         (is_request(value) && find("timestamp", value));
}

ReadLine FieldMap::read(const ColumnValue& value) {
  return is_request(value) ? read_request(value) : read_event(value);
}

ReadLine FieldMap::read_request(const ColumnValue& value) {
  AccessLogEntry entry;
  const auto time = find("timestamp", value);
  const auto moment = time ? parse_log_time(*time, options_.times) : std::nullopt;
  if (!moment)
    return malformed(
        "The record's time is missing or not valid, or its form is not known: use --date-format.");
  entry.time = *moment;
  const auto status = parse_int(find("status", value).value_or(""));
  if (!status) return malformed("The record has no status.");
  entry.status = static_cast<int>(std::clamp<std::int64_t>(*status, 0, 999));
  entry.method = find("method", value).value_or("GET");
  if (const auto target = find("target", value)) {
    entry.target = log_text(*target);
  } else if (const auto line = find("request", value)) {  // such as "GET / HTTP/1.1"
    const auto space = line->find(' ');
    const bool is_path = line->starts_with('/');  // the log has a separate column for the method
    if (space == std::string::npos && !is_path) return Filtered{};
    if (!is_path) entry.method = line->substr(0, space);
    const auto begin = is_path ? 0 : space + 1;
    entry.target = log_text(line->substr(begin, line->rfind(" HTTP/") - begin));
  } else {
    entry.target = log_text(find("url", value).value_or(""));
  }
  entry.host = unless_dash(find("host", value));
  entry.address = unless_dash(find("ip", value));
  entry.forwarded = unless_dash(find("forwarded", value));
  // Some formats call the client "host", as Apache's %h does.
  if (entry.address.empty() && parse_address(entry.host)) entry.address = std::move(entry.host);
  entry.user_agent = unless_dash(find("user_agent", value));
  entry.referrer = unless_dash(find("referrer", value));
  return pages_.judge(entry);
}

/// Builds a request body from the fields and parses it, so that the server's rules for events
/// apply.
ReadLine FieldMap::read_event(const ColumnValue& value) {
  json::Object body;
  const auto put = [&](std::string_view name, json::Value member) {
    body.members.push_back({std::string(name), std::move(member)});
  };
  const auto text_value = [](std::string text) {
    return json::Value{json::Kind::kString, std::move(text), {}};
  };
  bool has_name = false;
  bool has_domain = false;
  for (const auto& [name, form] : kEventFields) {
    auto text = find(name, value);
    if (!text || text->empty()) continue;
    if (!is_valid_utf8(*text)) text = log_text(*text);
    if (name == "url" && text->starts_with('/')) *text = base_of(options_) + *text;
    has_name = has_name || name == "name";
    has_domain = has_domain || name == "domain";
    if (form == Form::kJson && text->starts_with('{')) {
      auto object = json::parse_object(*text);
      if (!object) return malformed(std::string(name) + " is not a JSON object.");
      put(name, {json::Kind::kObject, {}, std::move(object->members)});
    } else if (form == Form::kBoolean) {
      const bool is_false = iequals(*text, "false") || *text == "0";
      put(name, {json::Kind::kBoolean, is_false ? "false" : "true", {}});
    } else if (form == Form::kText) {
      put(name, text_value(std::move(*text)));
    }
  }
  if (!has_name) put("name", text_value(std::string(kPageview)));
  const auto& site = !options_.site_override.empty() ? options_.site_override
                     : !has_domain                   ? options_.site
                                                     : std::string();
  // The parser uses the last of two members with the same name, so this one overrides the record's.
  if (!site.empty()) put("domain", text_value(site));
  if (const auto time = find("timestamp", value); time && !trim(*time).empty()) {
    const auto moment = parse_log_time(*time, options_.times);
    if (!moment) {
      return Error{ErrorCode::kInvalidTimestamp,
                   "The time is not valid, or its form is not known: use --date-format.",
                   {}};
    }
    const auto millis = moment->time_since_epoch().count();
    put("timestamp",
        {json::Kind::kDecimal,
         std::to_string(millis / 1000) + "." + std::to_string(1000 + millis % 1000).substr(1),
         {}});
  }
  if (auto props = mapped_props(options_, value)) put("props", std::move(*props));
  auto payload = parse_event_payload(body, {true, options_.now});
  if (!payload) return payload.error();
  if (options_.keep_bots) payload->keep_bots = true;
  return ReplayEvent{std::move(*payload)};
}

}  // namespace analytics::cli
