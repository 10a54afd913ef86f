#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "common/run/result.h"
#include "common/text/url.h"
#include "daemon/http/message.h"
#include "daemon/store/registry_reader.h"

namespace analytics::api {

/// Parameters of a provisioning request in any form. The last value of a name counts.
class Params {
 public:
  explicit Params(Parameters values = {}) : values_(std::move(values)) {}

  /// Returns the value; null if absent.
  [[nodiscard]] const std::string* find(std::string_view name) const;
  /// Returns the value; null if absent or blank.
  [[nodiscard]] const std::string* find_text(std::string_view name) const;
  /// Returns the value. Errors: kMissingParameter with the field's name if absent or blank.
  [[nodiscard]] Result<std::string> require(std::string_view name) const;
  /// Returns the value as a flag; nullopt if absent or blank. Errors: kInvalidParameter.
  [[nodiscard]] Result<std::optional<bool>> flag(const char* name) const;
  /// Reads limit, after and before. Errors: kInvalidParameter.
  [[nodiscard]] Result<store::PageRequest> page() const;

 private:
  Parameters values_;
};

/// Most sites that a single answer counts. Clients get the others with the cursor.
inline constexpr std::int64_t kMostSitesAtOnce = 20;

/// Reads the parameters of a request: the query for GET and HEAD, the body (form, multipart, JSON)
/// for other methods, and both for DELETE. Errors: kMalformedBody, kUnsupportedMediaType.
[[nodiscard]] Result<Params> read_params(const http::Request& request);

/// Rejects packed bodies. Errors: kUnsupportedMediaType.
[[nodiscard]] Status check_unencoded(const http::Head& head);

/// Parses multipart/form-data (RFC 7578), text parts only. Errors: kMalformedBody. Pure.
[[nodiscard]] Result<Parameters> parse_multipart(std::string_view body, std::string_view boundary);

/// Parses an id as answers write it: "7", not "07".
[[nodiscard]] std::optional<std::int64_t> parse_id(std::string_view text);

/// Converts a row's id to an opaque cursor, and back.
[[nodiscard]] std::string encode_cursor(std::int64_t id);
[[nodiscard]] std::optional<std::int64_t> decode_cursor(std::string_view cursor);

/// Returns the media type without parameters, in lower case; or one of its parameters.
[[nodiscard]] std::string media_type(std::string_view content_type);
[[nodiscard]] std::string media_parameter(std::string_view content_type, std::string_view name);

}  // namespace analytics::api
