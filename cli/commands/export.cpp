#include <array>
#include <ostream>
#include <span>

#include <nlohmann/json.hpp>

#include "cli/commands/commands.h"
#include "cli/frame/api_client.h"
#include "cli/frame/requests.h"
#include "common/text/text.h"

namespace analytics::cli {
namespace {

using nlohmann::ordered_json;

/// Column names that replay expects, so that it reads the file without --map.
constexpr std::array kColumns = {
    // clang-format off
    "event_id", "domain", "name", "url", "referrer", "timestamp", "visitor", "visit", "interactive",
    "props", "revenue", "e", "sd", "country", "region", "city",
    "device", "browser", "browser_version", "os", "os_version", "screen", "language"
    // clang-format on
};

/// Returns the text as a CSV cell, quoted if necessary. Texts that look like formulas get no
/// prefix, because programs read this file.
std::string csv_cell(const std::string& text) {
  const bool is_plain = text.find_first_of(",;|\t\"\r\n") == std::string::npos;
  if (is_plain && !text.starts_with(' ') && !text.ends_with(' ')) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + '"';
}

/// Converts a line of JSON to CSV. Returns an empty text if the line is not an object.
std::string csv_line(std::string_view json, std::span<const char* const> columns) {
  const auto event = ordered_json::parse(json, nullptr, false);
  if (!event.is_object()) return {};
  std::string line;
  for (const auto* column : columns) {
    if (column != columns.front()) line += ',';
    const auto value = event.find(column);
    if (value == event.end() || value->is_null()) continue;
    line += csv_cell(value->is_string() ? value->get<std::string>() : value->dump());
  }
  return line + '\n';
}

}  // namespace

Outcome<ExitCode> export_events(const ExportOptions& options, Context& context) {
  ApiClient::Request request{
      "GET", "/api/v1/sites/" + percent_encode(options.site) + "/events", {}, true, true, {}, {},
      {}};
  auto form = parameters_of(options.which);
  if (options.with_ids) form.emplace_back("ids", "1");
  if (!form.empty()) request.path += "?" + encode_form(form);
  const bool is_csv = context.settings.output == OutputForm::kCsv;
  // The first column is written only with --with-ids.
  const auto columns = std::span(kColumns).subspan(options.with_ids ? 0 : 1);
  bool has_header = !is_csv;
  std::string waiting;  // the beginning of a line whose end has not arrived
  const auto write_header = [&] {
    if (std::exchange(has_header, true)) return;
    for (const auto* column : columns) {
      context.out << (column == columns.front() ? "" : ",") << column;
    }
    context.out << '\n';
  };
  request.on_body = [&](std::string_view part) {
    write_header();
    waiting += part;
    std::size_t at = 0;
    for (auto end = waiting.find('\n'); end != std::string::npos; end = waiting.find('\n', at)) {
      const auto line = std::string_view(waiting).substr(at, end - at);
      if (is_csv) {
        context.out << csv_line(line, columns);
      } else {
        context.out << visible_json(line) << '\n';
      }
      at = end + 1;
    }
    waiting.erase(0, at);
    return context.out.good();
  };
  const auto reply = context.api.call(request);
  if (!is_csv) context.out << visible_json(waiting);
  if (!context.out.good()) return ExitCode::kOutput;  // run() reports the failure
  if (!reply) return tl::unexpected(reply.error());
  write_header();  // the header is written also if there are no events
  return ExitCode::kOk;
}

}  // namespace analytics::cli
