#pragma once

#include <string>
#include <string_view>

#include "common/io/decompress.h"
#include "common/run/result.h"
#include "daemon/http/message.h"
#include "daemon/ingest/bulk.h"
#include "daemon/model/import.h"

/// Functions for both kinds of bulk requests: those with events and those with daily totals.
namespace analytics::api {

/// Returns the error for a header field that breaks a rule, such as "must be 32 hex digits".
[[nodiscard]] Error bad_header(const char* name, const std::string& rule);
inline constexpr char kImportNameRule[] = "must be 1 to 64 of A-Z a-z 0-9 . _ -";
inline constexpr char kGoesWithOthers[] = "is required with the other Import-* headers";

/// Checks that the body is NDJSON and returns its compression. Errors: kUnsupportedMediaType.
[[nodiscard]] Result<ContentCoding> read_ndjson_coding(const http::Head& head);

/// Returns the range of a source file that the request contains, from the headers Import-Source and
/// Import-Range. `name`: the import's name, which is checked. Errors: kInvalidParameter.
[[nodiscard]] Result<ImportRange> read_import_range(const http::Head& head, std::string name);

/// Sets `range.content` to a hash of `text`, the request's decompressed body.
void set_content(ImportRange& range, std::string_view text);

/// Returns the JSON answer to a bulk request. `is_repeat`: true if the request's range had been
/// stored before.
[[nodiscard]] std::string summary_text(const BulkSummary& summary, bool is_repeat);

}  // namespace analytics::api
