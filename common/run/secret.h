#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

/// Keys and tokens: created from the system's random source, stored as hashes, compared in constant
/// time.
namespace analytics {

using Sha256 = std::array<std::uint8_t, 32>;

/// Initialises the random source. main() must call this function once, before any function below.
/// Throws if the random source is missing.
void init_secrets();

/// Returns `length` random characters from 0-9A-Za-z, with 5.95 bits of entropy each.
[[nodiscard]] std::string random_base62(std::size_t length);

/// Returns a new key: "an_", 43 random base62 characters (256 bits) and 6 check characters, the
/// CRC-32 of the text before them. The check characters tell a mistyped key from an unknown one,
/// and let scanners find leaked keys.
[[nodiscard]] std::string make_api_key();

/// Returns true if the text has the form of an API key, with correct check characters.
[[nodiscard]] bool is_api_key(std::string_view text);

/// Returns the part of a key that may be shown: "an_" and 6 characters.
[[nodiscard]] std::string_view key_prefix(std::string_view key);

/// Continues a CRC-32 over a text that arrives in pieces: `before` is the CRC-32 of the earlier
/// pieces, 0 for none; `text` is the next piece. Detects accidental changes, not attacks.
[[nodiscard]] std::uint32_t add_crc32(std::uint32_t before, std::string_view text);

/// Returns standard base64 with padding (RFC 4648).
[[nodiscard]] std::string to_base64(std::string_view bytes);

/// Decodes standard base64 with padding; nullopt if the text is not valid.
[[nodiscard]] std::optional<std::string> from_base64(std::string_view text);

[[nodiscard]] Sha256 sha256(std::string_view text);
/// Hashes a text that arrives in pieces.
class Sha256Sum {
 public:
  Sha256Sum();
  ~Sha256Sum();
  void add(std::string_view piece);
  [[nodiscard]] Sha256 finish();  ///< Returns the hash. Call it once.

 private:
  struct State;
  std::unique_ptr<State> state_;
};
[[nodiscard]] bool equal_constant_time(std::string_view a, std::string_view b);
[[nodiscard]] bool equal_constant_time(const Sha256& a, const Sha256& b);

/// Hashes a password with Argon2id (RFC 9106), a random salt and 16 MiB of memory, which takes tens
/// of milliseconds. The returned text includes the salt and parameters. Throws std::bad_alloc.
[[nodiscard]] std::string hash_password(std::string_view password);
/// Returns true if `hash` is a hash of the password. Takes as long as hash_password(). Throws
/// std::bad_alloc.
[[nodiscard]] bool is_password(const std::string& hash, std::string_view password);

/// 128-bit hash of a sequence of texts: BLAKE2b without a key. Each text is hashed with its length,
/// so that differently split texts have different hashes.
using Digest = std::array<std::uint8_t, 16>;
[[nodiscard]] Digest digest_of(std::initializer_list<std::string_view> parts);

/// Key of SipHash-2-4 (Aumasson, Bernstein 2012), a 64-bit hash that cannot be related to its data
/// without the key.
using HashKey = std::array<std::uint8_t, 16>;
[[nodiscard]] HashKey random_hash_key();
[[nodiscard]] std::uint64_t keyed_hash(const HashKey& key, const void* data, std::size_t size);

}  // namespace analytics
