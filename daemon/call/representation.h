#pragma once

#include <string>
#include <string_view>

#include "daemon/http/message.h"

namespace analytics::api {

/// Wraps the responder to save the client traffic. Adds an ETag of the body, answers 304 to a GET
/// or HEAD whose If-None-Match has that ETag, and compresses large bodies with gzip if the client
/// accepts it. Only the client may cache the answer, and must revalidate it each time. Answers
/// other than 200 pass unchanged. REQUIRES: the request lives until it is answered.
[[nodiscard]] http::Responder represented(const http::Request& request,
                                          const http::Responder& respond);

/// A file that is compiled into the program. Its ETag and compressed form are made once, in the
/// constructor, and its bytes are sent without being copied.
class StaticFile {
 public:
  /// `type`: the media type. `type`, `text` and this object must outlive the server.
  StaticFile(const char* type, std::string_view text);

  /// Returns the file, or 304 if the client has it, like represented(). Any cache may keep the
  /// answer for an hour, because the file changes only with the program's version.
  [[nodiscard]] http::Response answer(const http::Head& head) const;

 private:
  const char* type_;
  std::string_view text_;
  std::string tag_;
  std::string packed_;  ///< The file compressed with gzip; empty if it is too small for that.
};

/// Returns a response with status 200 whose body is produced part by part, and compressed with gzip
/// if `is_packed`.
[[nodiscard]] http::Response streamed(std::string type, http::BodyParts parts, bool is_packed);

/// Returns true if Accept-Encoding allows gzip (RFC 9110, section 12.5.3). Pure.
[[nodiscard]] bool accepts_gzip(std::string_view accept_encoding);

/// Returns true if the value of If-None-Match contains this ETag or "*", by weak comparison (RFC
/// 9110, section 13.1.2). Pure.
[[nodiscard]] bool names_tag(std::string_view if_none_match, std::string_view tag);

}  // namespace analytics::api
