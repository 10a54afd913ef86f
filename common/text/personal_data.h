#pragma once

#include <cstddef>
#include <string>
#include <string_view>

/// Finds e-mail addresses, IP addresses and User-Agents in texts that are to be stored, and
/// replaces them by "(redacted)", as Google Analytics does. Characters may be percent-encoded
/// several times, as in URLs inside parameters. All functions take linear time.
namespace analytics {

/// Returns true if the text contains an e-mail address. "@name@host.example" does not count:
/// it is the address of a person in the Fediverse.
[[nodiscard]] bool has_email(std::string_view text);

/// Returns false if the text certainly holds nothing that redact() or redact_url() replaces.
[[nodiscard]] bool may_be_personal(std::string_view text);

/// kKeepV4: keep what looks like an IPv4 address, for versions ("10.1.2.3") and names of hosts.
enum class IpAddresses { kRedact, kKeepV4 };

/// Replaces e-mail addresses and IP addresses, and a text that names a User-Agent as a whole. A
/// text that is a URL is treated as by redact_url(). Returns the number of replacements.
std::size_t redact(std::string& text, IpAddresses addresses = IpAddresses::kRedact);

/// Does the same in the path, the query and the fragment of a URL, where a User-Agent is a
/// parameter or the path, and removes user and password before its host. The host stays, even if it
/// is an address: it names a server.
std::size_t redact_url(std::string& url);

}  // namespace analytics
