#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/run/result.h"
#include "common/text/url.h"
#include "daemon/http/message.h"
#include "daemon/store/registry_reader.h"

namespace analytics::api {

/// A parameter that requests to change something may have.
struct KnownParameter {
  /// A JSON value that a parameter may be besides a scalar. Its text is then the JSON text, which
  /// the handler parses.
  enum class Structure { kNone, kList, kObject };

  std::string_view name;
  /// False if the value may be a secret, an address or sent by visitors.
  bool is_logged = true;
  Structure structure = Structure::kNone;
};
/// Returns the parameters that any route for changes knows. Others are ignored.
[[nodiscard]] std::span<const KnownParameter> known_parameters();

/// Parameters of a provisioning request, from its query string, form or JSON body. If a name is
/// repeated, its last value counts.
class Params {
 public:
  explicit Params(Parameters values = {}, std::vector<std::string> ignored = {})
      : values_(std::move(values)), ignored_(std::move(ignored)) {}

  /// Returns the names of parameters that no route for changes knows, without their brackets; empty
  /// for a request that changes nothing.
  [[nodiscard]] const std::vector<std::string>& ignored() const { return ignored_; }

  /// Returns the parameter's value; null if absent.
  [[nodiscard]] const std::string* find(std::string_view name) const;
  /// Returns the parameter's value; null if absent or blank.
  [[nodiscard]] const std::string* find_text(std::string_view name) const;
  /// Returns the parameter's value. Errors: kMissingParameter if absent or blank.
  [[nodiscard]] Result<std::string> require(std::string_view name) const;
  /// Parses the value "true" or "false"; nullopt if absent or blank. Errors: kInvalidParameter.
  [[nodiscard]] Result<std::optional<bool>> flag(const char* name) const;
  /// Parses the paging parameters `limit`, `after` and `before`. Errors: kInvalidParameter.
  [[nodiscard]] Result<store::PageRequest> page() const;

 private:
  Parameters values_;
  std::vector<std::string> ignored_;
};

/// Maximum number of sites for which one answer contains numbers. Clients get further sites with
/// the cursor.
inline constexpr std::int64_t kMaxSitesAtOnce = 20;

/// Parses the parameters of a request: from the query string for GET and HEAD, from the body (form,
/// multipart or JSON) for other methods, and from both for DELETE. Unknown parameters are ignored,
/// whatever their type. Errors: kMalformedBody, kUnsupportedMediaType, kInvalidParameter.
[[nodiscard]] Result<Params> read_params(const http::Request& request);

/// Rejects a request with a compressed body. Errors: kUnsupportedMediaType.
[[nodiscard]] Status check_unencoded(const http::Head& head);

/// Parses a multipart/form-data body (RFC 7578) whose parts are all text. Errors: kMalformedBody.
/// Pure.
[[nodiscard]] Result<Parameters> parse_multipart(std::string_view body, std::string_view boundary);

/// Parses a decimal id in the form that answers use: "7", but not "07" or "+7".
[[nodiscard]] std::optional<std::int64_t> parse_id(std::string_view text);

/// Convert a row's id to a cursor, which is opaque to clients, and back; nullopt if the text is not
/// a cursor.
[[nodiscard]] std::string encode_cursor(std::int64_t id);
[[nodiscard]] std::optional<std::int64_t> decode_cursor(std::string_view cursor);

/// Returns the media type of a Content-Type value without its parameters, in lower case.
[[nodiscard]] std::string media_type(std::string_view content_type);
/// Returns the value of a parameter of a Content-Type value, such as `boundary`; empty if absent.
[[nodiscard]] std::string media_parameter(std::string_view content_type, std::string_view name);

}  // namespace analytics::api
