#pragma once

#include <string>
#include <string_view>

#include "common/io/decompress.h"
#include "common/run/result.h"
#include "daemon/http/message.h"
#include "daemon/ingest/bulk.h"
#include "daemon/model/import.h"

/// Functions that bulk requests of events and of daily totals share.
namespace analytics::api {

[[nodiscard]] Error bad_header(const char* name, const std::string& rule);
inline constexpr char kImportNameRule[] = "must be 1 to 64 of A-Z a-z 0-9 . _ -";
inline constexpr char kGoesWithOthers[] = "is required with the other Import-* headers";

/// Returns the compression of an NDJSON body. Errors: kUnsupportedMediaType.
[[nodiscard]] Result<ContentCoding> read_ndjson_coding(const http::Head& head);

/// Reads the headers Import-Source and Import-Range of a request for the import `name`. Errors:
/// kInvalidParameter.
[[nodiscard]] Result<ImportRange> read_import_range(const http::Head& head, std::string name);

/// Sets the range's `content` to a hash of `text`, the range's bytes.
void set_content(ImportRange& range, std::string_view text);

/// Returns the JSON answer to a bulk request. `is_repeat`: its range was stored before.
[[nodiscard]] std::string summary_text(const BulkSummary& summary, bool is_repeat);

}  // namespace analytics::api
