#pragma once

#include <cstddef>
#include <string>
#include <string_view>

/// Finds data that identifies a visitor in exports of other services, so that it is not imported.
namespace analytics::cli {

/// Returns true for a property's key that shows that its value identifies a person: "email",
/// "user_id".
[[nodiscard]] bool is_personal_key(std::string_view key);

/// Returns true if a property's value is an IP address or a list that contains one. A value whose
/// key contains "version" is no address.
[[nodiscard]] bool is_address_of(std::string_view key, std::string_view value);

/// Returns true if the text contains an e-mail address. Its characters may be percent-encoded once
/// or twice, as in URLs inside parameters. Takes linear time.
[[nodiscard]] bool has_email(std::string_view text);

/// Replaces e-mail addresses in a URL with "(redacted)", as Google Analytics does, and removes user
/// and password before its host. Returns the number of replacements and removals.
std::size_t redact_emails(std::string& url);

}  // namespace analytics::cli
