#pragma once

#include <string>
#include <string_view>

#include "daemon/http/message.h"

namespace analytics::api {

/// How long an answer may be kept without asking again.
enum class Keep {
  kAsk,   ///< Not at all: the client asks whether it is still the same, and nobody else keeps it.
  kHour,  ///< An hour, by anybody: what only a new version of the program changes.
};

/// Answers in the form that suits the client: with an ETag of the body; 304 without the body to a
/// GET or HEAD that has it already; and packed with gzip for one that takes it, where it pays.
/// Errors pass as they are. REQUIRES: the request lives until the answer is given.
[[nodiscard]] http::Responder represented(const http::Request& request, Keep keep,
                                          http::Responder respond);

/// 200 with a body that is made piece by piece, packed with gzip for a client that takes it.
[[nodiscard]] http::Response streamed(std::string type, http::BodyParts parts, bool is_packed);

/// True if Accept-Encoding allows gzip (RFC 9110, section 12.5.3). Pure.
[[nodiscard]] bool accepts_gzip(std::string_view accept_encoding);

/// True if If-None-Match contains the tag by weak comparison (RFC 9110, section 13.1.2). Pure.
[[nodiscard]] bool names_tag(std::string_view if_none_match, std::string_view tag);

}  // namespace analytics::api
