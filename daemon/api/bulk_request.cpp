#include "daemon/api/bulk_request.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "common/run/secret.h"
#include "common/text/text.h"
#include "common/wire/api_types.h"
#include "daemon/call/params.h"

namespace analytics::api {

Error bad_header(const char* name, const std::string& rule) {
  return {ErrorCode::kInvalidParameter, std::string(name) + " " + rule + ".", {{name, rule}}};
}

Result<ContentCoding> read_ndjson_coding(const http::Head& head) {
  if (media_type(head.field("Content-Type")) != "application/x-ndjson") {
    return fail(ErrorCode::kUnsupportedMediaType, "Send application/x-ndjson.");
  }
  const auto coding = parse_content_coding(head.field("Content-Encoding"));
  if (!coding) {
    return fail(ErrorCode::kUnsupportedMediaType, "Content-Encoding may be gzip or zstd.");
  }
  return *coding;
}

Result<ImportRange> read_import_range(const http::Head& head, std::string name) {
  for (const auto* field : {header::kImportSource, header::kImportRange}) {
    if (!head.has_field(field)) return fail(bad_header(field, kGoesWithOthers));
  }
  if (!is_import_name(name)) {
    return fail(bad_header(header::kImportId, kImportNameRule));
  }
  const auto source = parse_source_id(head.field(header::kImportSource));
  if (!source) return fail(bad_header(header::kImportSource, "must be 32 hex digits"));
  const auto bytes = parse_byte_range(head.field(header::kImportRange));
  if (!bytes) return fail(bad_header(header::kImportRange, "must be <from>-<to> with from < to"));
  ImportRange range;
  range.name = std::move(name);
  range.source = *source;
  range.bytes = *bytes;
  return range;
}

void set_content(ImportRange& range, std::string_view text) {
  const auto hash = sha256(text);
  std::copy_n(hash.begin(), range.content.size(), range.content.begin());
}

std::string summary_text(const BulkSummary& summary, bool is_repeat) {
  using nlohmann::ordered_json;
  ordered_json body = {{"accepted", summary.accepted},
                       {"duplicate", summary.duplicate},
                       {"dropped", summary.dropped},
                       {"rejected", summary.rejected}};
  if (summary.redacted > 0) body["redacted"] = summary.redacted;
  if (is_repeat) body["repeated"] = true;
  body["dropped_by"] = summary.dropped_by;
  body["rejected_by"] = summary.rejected_by;
  body["problems"] = ordered_json::array();
  for (const auto& problem : summary.problems) {
    auto& row = body["problems"].emplace_back(ordered_json{{"line", problem.line}});
    if (problem.count > 1) row["count"] = problem.count;
    row["code"] = problem.code;
    row["error"] = problem.error;
  }
  if (summary.problems_omitted > 0) body["problems_omitted"] = summary.problems_omitted;
  return body.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

}  // namespace analytics::api
