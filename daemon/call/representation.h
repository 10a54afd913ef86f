#pragma once

#include <string>
#include <string_view>

#include "daemon/http/message.h"

namespace analytics::api {

/// Wraps the responder to fit the client. Adds an ETag of the body, answers 304 to a GET or HEAD
/// that has it already, and packs large bodies with gzip if the client accepts it. Only the client
/// may cache the answer, and must revalidate it each time. Errors pass unchanged. REQUIRES: the
/// request lives until the answer is given.
[[nodiscard]] http::Responder represented(const http::Request& request,
                                          const http::Responder& respond);

/// A file that is part of the program. Its tag and its packed bytes are made once, and its bytes
/// are sent from where they are.
class StaticFile {
 public:
  /// `type` and `text` must outlive the process's last answer.
  StaticFile(const char* type, std::string_view text);

  /// Answers as represented() does, but any cache may use the answer for an hour: only a new
  /// version of the program changes it.
  [[nodiscard]] http::Response answer(const http::Head& head) const;

 private:
  const char* type_;
  std::string_view text_;
  std::string tag_;
  std::string packed_;  ///< Empty if the file is too small to be packed.
};

/// Returns 200 with a body that is produced part by part, packed with gzip if `is_packed`.
[[nodiscard]] http::Response streamed(std::string type, http::BodyParts parts, bool is_packed);

/// Returns true if Accept-Encoding allows gzip (RFC 9110, section 12.5.3). Pure.
[[nodiscard]] bool accepts_gzip(std::string_view accept_encoding);

/// Returns true if If-None-Match contains the tag by weak comparison (RFC 9110, section 13.1.2).
/// Pure.
[[nodiscard]] bool names_tag(std::string_view if_none_match, std::string_view tag);

}  // namespace analytics::api
