#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

/// Keys and tokens: made from the system's random source, kept as hashes, compared in constant
/// time.
namespace analytics {

using Sha256 = std::array<std::uint8_t, 32>;

/// To be called once before anything below, from main. Throws when the random source is not there.
void init_secrets();

/// `length` characters of 0-9A-Za-z: 5.95 random bits each.
[[nodiscard]] std::string random_base62(std::size_t length);

/// "an_" + 43 base62 characters (256 bits) + 6 that are the CRC-32 of what stands before, so that a
/// mistyped key is told from an unknown one and scanners can find leaked ones.
[[nodiscard]] std::string make_api_key();

/// True if the text has the form of one of our keys, with correct check digits.
[[nodiscard]] bool is_api_key(std::string_view text);

/// Returns the part of a key that may be shown: "an_" and 6 characters.
[[nodiscard]] std::string_view key_prefix(std::string_view key);

/// CRC-32 of what went before and this. Tells accidents apart, not attacks.
[[nodiscard]] std::uint32_t add_crc32(std::uint32_t before, std::string_view text);

/// Standard base64 with padding (RFC 4648).
[[nodiscard]] std::string to_base64(std::string_view bytes);

/// nullopt for what is none.
[[nodiscard]] std::optional<std::string> from_base64(std::string_view text);

[[nodiscard]] Sha256 sha256(std::string_view text);
/// The hash of a text that comes in pieces.
class Sha256Sum {
 public:
  Sha256Sum();
  ~Sha256Sum();
  void add(std::string_view piece);
  [[nodiscard]] Sha256 finish();  ///< Once.

 private:
  struct State;
  std::unique_ptr<State> state_;
};
[[nodiscard]] bool equal_constant_time(std::string_view a, std::string_view b);
[[nodiscard]] bool equal_constant_time(const Sha256& a, const Sha256& b);

/// Hashes a password with Argon2id (RFC 9106), a random salt and 16 MiB of memory, which takes tens
/// of milliseconds. The text has all that is_password() needs. Throws std::bad_alloc.
[[nodiscard]] std::string hash_password(std::string_view password);
/// True if `hash` was made of that password. Costs as much as hash_password(), and throws as that.
[[nodiscard]] bool is_password(const std::string& hash, std::string_view password);

/// 128 bits that stand for a sequence of texts; each is hashed with its length, so that no two
/// sequences run into one. BLAKE2b, without a key.
using Digest = std::array<std::uint8_t, 16>;
[[nodiscard]] Digest digest_of(std::initializer_list<std::string_view> parts);

/// SipHash-2-4 (Aumasson, Bernstein 2012): 64 bits that nobody without the key can relate to
/// `data`.
using HashKey = std::array<std::uint8_t, 16>;
[[nodiscard]] HashKey random_hash_key();
[[nodiscard]] std::uint64_t keyed_hash(const HashKey& key, const void* data, std::size_t size);

}  // namespace analytics
