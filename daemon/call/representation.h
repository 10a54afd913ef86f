#pragma once

#include <string>
#include <string_view>

#include "daemon/http/message.h"

namespace analytics::api {

/// How long a cache may use an answer without asking again.
enum class Keep {
  kAsk,  ///< Only the client may cache it, and must revalidate it each time.
  /// Any cache may use it for an hour, because only a new version of the program changes it.
  kHour,
};

/// Wraps the responder to fit the client. Adds an ETag of the body, answers 304 to a GET or HEAD
/// that has it already, and packs large bodies with gzip if the client accepts it. Errors pass
/// unchanged. REQUIRES: the request lives until the answer is given.
[[nodiscard]] http::Responder represented(const http::Request& request, Keep keep,
                                          const http::Responder& respond);

/// Returns 200 with a body that is produced part by part, packed with gzip if `is_packed`.
[[nodiscard]] http::Response streamed(std::string type, http::BodyParts parts, bool is_packed);

/// Returns true if Accept-Encoding allows gzip (RFC 9110, section 12.5.3). Pure.
[[nodiscard]] bool accepts_gzip(std::string_view accept_encoding);

/// Returns true if If-None-Match contains the tag by weak comparison (RFC 9110, section 13.1.2).
/// Pure.
[[nodiscard]] bool names_tag(std::string_view if_none_match, std::string_view tag);

}  // namespace analytics::api
