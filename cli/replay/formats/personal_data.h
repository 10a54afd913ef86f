#pragma once

#include <cstddef>
#include <string>
#include <string_view>

/// Finds data that identifies a visitor in exports of other services, so that it is not imported.
namespace analytics::cli {

/// Returns true for keys of properties that identify a person whatever their value: "email",
/// "user_id".
[[nodiscard]] bool is_personal_key(std::string_view key);

/// Returns true for an IP address, or a list with one, unless the key says that it is a version.
[[nodiscard]] bool is_address_of(std::string_view key, std::string_view value);

/// Returns true if the text contains an e-mail address. Its characters may be percent-encoded once
/// or twice, as in URLs inside parameters. Takes linear time.
[[nodiscard]] bool has_email(std::string_view text);

/// Replaces e-mail addresses in a URL by "(redacted)", as Google Analytics does, and removes user
/// and password before its host. Returns the number of replacements and removals.
std::size_t redact_emails(std::string& url);

}  // namespace analytics::cli
