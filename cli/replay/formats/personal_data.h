#pragma once

#include <cstddef>
#include <string>
#include <string_view>

/// Finds in the exports of other services who a visitor is: it is not imported.
namespace analytics::cli {

/// True for keys of properties that name a person whatever their value: "email", "user_id".
[[nodiscard]] bool is_personal_key(std::string_view key);

/// True for an IP address, or a list of some, unless the key says that it is a version.
[[nodiscard]] bool is_address_of(std::string_view key, std::string_view value);

/// True if there is an e-mail address in the text. Its characters may be percent-encoded, also
/// twice, as URLs in parameters are. Linear in the bytes.
[[nodiscard]] bool has_email(std::string_view text);

/// Replaces the e-mail addresses in a URL by "(redacted)", as Google Analytics does, and removes
/// the user and password that stand before its host. Returns how many there were.
std::size_t redact_emails(std::string& url);

}  // namespace analytics::cli
