#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "common/result.h"
#include "common/url.h"
#include "daemon/http/message.h"
#include "daemon/store/registry_reader.h"

namespace analytics::api {

/// The parameters of a provisioning request, whatever form they came in. Last one wins.
class Params {
 public:
  explicit Params(Parameters values = {}) : values_(std::move(values)) {}

  /// Null when absent.
  [[nodiscard]] const std::string* find(std::string_view name) const;
  /// Null when absent or blank.
  [[nodiscard]] const std::string* find_text(std::string_view name) const;
  /// Errors: kMissingParameter when absent or blank, with the field to blame.
  [[nodiscard]] Result<std::string> require(std::string_view name) const;
  /// True, false, or none when absent or blank. Errors: kInvalidParameter.
  [[nodiscard]] Result<std::optional<bool>> flag(const char* name) const;
  /// "name=Team password=***", in the order in which they came, without the values of some of them.
  [[nodiscard]] std::string text_hiding(std::initializer_list<std::string_view> hidden) const;
  /// limit, after and before. Errors: kInvalidParameter.
  [[nodiscard]] Result<store::PageRequest> page() const;

 private:
  Parameters values_;
};

/// Sites that one answer counts: a client asks for more with the cursor.
inline constexpr std::int64_t kMostSitesAtOnce = 20;

/// GET and HEAD: the query. Others: the body (form, multipart, JSON), for DELETE also the query.
/// Errors: kMalformedBody, kUnsupportedMediaType.
[[nodiscard]] Result<Params> read_params(const http::Request& request);

/// Errors: kUnsupportedMediaType, for a body that is packed.
[[nodiscard]] Status check_unencoded(const http::Head& head);

/// multipart/form-data (RFC 7578), text parts only. Errors: kMalformedBody. Pure.
[[nodiscard]] Result<Parameters> parse_multipart(std::string_view body, std::string_view boundary);

/// Reads an id in the one form that answers have it: "7", not "07".
[[nodiscard]] std::optional<std::int64_t> parse_id(std::string_view text);

/// Opaque text for a row's id, and back.
[[nodiscard]] std::string encode_cursor(std::int64_t id);
[[nodiscard]] std::optional<std::int64_t> decode_cursor(std::string_view cursor);

/// The media type without parameters, lower case; and one of its parameters.
[[nodiscard]] std::string media_type(std::string_view content_type);
[[nodiscard]] std::string media_parameter(std::string_view content_type, std::string_view name);

}  // namespace analytics::api
