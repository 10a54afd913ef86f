#include "common/run/secret.h"

#include <cerrno>
#include <cstring>
#include <new>
#include <stdexcept>

#include <openssl/evp.h>
#include <sodium.h>
#include <zlib.h>

namespace analytics {
namespace {

constexpr char kBase62[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
constexpr std::string_view kPrefix = "an_";
constexpr std::size_t kRandomCharacters = 43;
constexpr std::size_t kCheckCharacters = 6;
constexpr std::size_t kShownCharacters = 6;

std::string check_characters(std::string_view text) {
  auto crc = crc32_z(0, reinterpret_cast<const Bytef*>(text.data()), text.size());
  std::string check(kCheckCharacters, '0');
  for (auto at = check.rbegin(); at != check.rend(); ++at, crc /= 62) *at = kBase62[crc % 62];
  return check;
}

const unsigned char* bytes(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

/// Returns OpenSSL's SHA-256, which uses the processor's SHA instructions; libsodium's does not.
/// The result is cached, because fetching it takes longer than hashing a key.
const EVP_MD* sha256_of_library() {
  static const EVP_MD* const kFetched = EVP_MD_fetch(nullptr, "SHA256", nullptr);
  return kFetched;
}

/// Throws if an OpenSSL function reports a failure (`outcome` is not 1), which happens only if
/// there is no memory.
void require_done(int outcome) {
  if (outcome != 1) throw std::bad_alloc();
}

}  // namespace

void init_secrets() {
  if (sodium_init() < 0) throw std::runtime_error("libsodium: no random source");
}

std::string random_base62(std::size_t length) {
  std::string text(length, '0');
  for (auto& c : text) c = kBase62[randombytes_uniform(62)];
  return text;
}

std::string make_api_key() {
  const auto body = std::string(kPrefix) + random_base62(kRandomCharacters);
  return body + check_characters(body);
}

bool is_api_key(std::string_view text) {
  if (text.size() != kPrefix.size() + kRandomCharacters + kCheckCharacters ||
      !text.starts_with(kPrefix)) {
    return false;
  }
  const auto body = text.substr(0, kPrefix.size() + kRandomCharacters);
  return equal_constant_time(check_characters(body), text.substr(body.size()));
}

std::string_view key_prefix(std::string_view key) {
  return key.substr(0, kPrefix.size() + kShownCharacters);
}

std::uint32_t add_crc32(std::uint32_t before, std::string_view text) {
  return static_cast<std::uint32_t>(
      crc32_z(before, reinterpret_cast<const Bytef*>(text.data()), text.size()));
}

std::string to_base64(std::string_view bytes) {
  std::string text(sodium_base64_ENCODED_LEN(bytes.size(), sodium_base64_VARIANT_ORIGINAL), '\0');
  sodium_bin2base64(text.data(), text.size(), reinterpret_cast<const unsigned char*>(bytes.data()),
                    bytes.size(), sodium_base64_VARIANT_ORIGINAL);
  text.pop_back();  // the last character is a terminating NUL
  return text;
}

std::optional<std::string> from_base64(std::string_view text) {
  std::string bytes(text.size() / 4 * 3 + 3, '\0');
  std::size_t size = 0;
  if (sodium_base642bin(reinterpret_cast<unsigned char*>(bytes.data()), bytes.size(), text.data(),
                        text.size(), nullptr, &size, nullptr,
                        sodium_base64_VARIANT_ORIGINAL) != 0) {
    return std::nullopt;
  }
  bytes.resize(size);
  return bytes;
}

struct Sha256Sum::State {
  EVP_MD_CTX* of_library = EVP_MD_CTX_new();
  ~State() { EVP_MD_CTX_free(of_library); }
};

Sha256Sum::Sha256Sum() : state_(std::make_unique<State>()) {
  require_done(EVP_DigestInit_ex(state_->of_library, sha256_of_library(), nullptr));
}

Sha256Sum::~Sha256Sum() = default;

void Sha256Sum::add(std::string_view piece) {
  require_done(EVP_DigestUpdate(state_->of_library, piece.data(), piece.size()));
}

Sha256 Sha256Sum::finish() {
  Sha256 hash;
  require_done(EVP_DigestFinal_ex(state_->of_library, hash.data(), nullptr));
  return hash;
}

Sha256 sha256(std::string_view text) {
  Sha256 hash;
  require_done(
      EVP_Digest(text.data(), text.size(), hash.data(), nullptr, sha256_of_library(), nullptr));
  return hash;
}

bool equal_constant_time(std::string_view a, std::string_view b) {
  return a.size() == b.size() && sodium_memcmp(a.data(), b.data(), a.size()) == 0;
}

bool equal_constant_time(const Sha256& a, const Sha256& b) {
  return sodium_memcmp(a.data(), b.data(), a.size()) == 0;
}

std::string hash_password(std::string_view password) {
  constexpr unsigned long long kPasses = 3;
  constexpr std::size_t kMemory = 16'777'216;  // in bytes
  std::string hash(crypto_pwhash_STRBYTES, '\0');
  if (crypto_pwhash_str(hash.data(), password.data(), password.size(), kPasses, kMemory) != 0) {
    throw std::bad_alloc();
  }
  hash.resize(hash.find('\0'));
  return hash;
}

bool is_password(const std::string& hash, std::string_view password) {
  errno = 0;
  if (crypto_pwhash_str_verify(hash.c_str(), password.data(), password.size()) == 0) return true;
  if (errno == ENOMEM) throw std::bad_alloc();
  return false;
}

Digest digest_of(std::initializer_list<std::string_view> parts) {
  crypto_generichash_state state;
  crypto_generichash_init(&state, nullptr, 0, sizeof(Digest));
  for (const auto part : parts) {
    const std::uint64_t size = part.size();
    unsigned char prefix[sizeof size];
    std::memcpy(prefix, &size, sizeof size);
    crypto_generichash_update(&state, prefix, sizeof prefix);
    crypto_generichash_update(&state, bytes(part), part.size());
  }
  Digest digest;
  crypto_generichash_final(&state, digest.data(), digest.size());
  return digest;
}

HashKey random_hash_key() {
  HashKey key;
  crypto_shorthash_keygen(key.data());
  return key;
}

std::uint64_t keyed_hash(const HashKey& key, const void* data, std::size_t size) {
  static_assert(crypto_shorthash_KEYBYTES == sizeof(HashKey));
  unsigned char out[crypto_shorthash_BYTES];
  crypto_shorthash(out, static_cast<const unsigned char*>(data), size, key.data());
  std::uint64_t value = 0;
  std::memcpy(&value, out, sizeof value);
  return value;
}

}  // namespace analytics
