#pragma once

#include <cstddef>
#include <string>
#include <string_view>

/// Finds e-mail addresses, IP addresses and User-Agents in texts before they are stored, and
/// replaces them by "(redacted)", as Google Analytics does. Characters may be percent-encoded
/// several times, as in URLs inside parameters. All functions take linear time.
namespace analytics {

/// Returns true if the text contains an e-mail address. "@name@host.example" does not count:
/// it is the address of a person in the Fediverse.
[[nodiscard]] bool has_email(std::string_view text);

/// Returns false if the text certainly contains nothing that redact() or redact_url() replaces.
[[nodiscard]] bool may_be_personal(std::string_view text);

/// kKeepV4 keeps texts that look like IPv4 addresses, such as the version "10.1.2.3" or parts of a
/// host name.
enum class IpAddresses { kRedact, kKeepV4 };

/// Replaces each e-mail address and IP address in the text, and the whole text if it contains a
/// User-Agent. A text that is a URL is treated as by redact_url(). Returns the number of
/// replacements.
std::size_t redact(std::string& text, IpAddresses addresses = IpAddresses::kRedact);

/// Replaces e-mail addresses, IP addresses and User-Agents in the path, query and fragment of a
/// URL. A User-Agent is recognised as the path or as a parameter. Removes user and password before
/// the host, but keeps the host, even if it is an IP address, because it names a server. Returns
/// the number of changes.
std::size_t redact_url(std::string& url);

}  // namespace analytics
