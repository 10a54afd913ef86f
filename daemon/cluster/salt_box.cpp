#include "daemon/cluster/salt_box.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include <sodium.h>

namespace analytics::cluster {
namespace {

/// Plaintext of a wrapped salt. It contains the day, so that a salt cannot be assigned to another
/// day.
struct Content {
  std::int64_t day = 0;
  HashKey salt{};
};
static_assert(sizeof(Content) == sizeof(std::int64_t) + sizeof(HashKey));

constexpr std::size_t kNonceBytes = crypto_secretbox_NONCEBYTES;

std::int64_t number_of(Days day) { return day.time_since_epoch().count(); }

const std::uint8_t* bytes_of(std::string_view text) {
  return reinterpret_cast<const std::uint8_t*>(text.data());
}

}  // namespace

SaltBox::SaltBox(std::string_view secret) {
  static_assert(crypto_secretbox_KEYBYTES == sizeof key_);
  crypto_generichash(key_.data(), key_.size(), bytes_of(secret), secret.size(), nullptr, 0);
}

SaltBox::~SaltBox() { sodium_memzero(key_.data(), key_.size()); }

std::string SaltBox::wrap(Days day, const HashKey& salt) const {
  Content content{.day = number_of(day), .salt = salt};
  std::vector<std::uint8_t> wrapped(kNonceBytes + crypto_secretbox_MACBYTES + sizeof content);
  randombytes_buf(wrapped.data(), kNonceBytes);
  crypto_secretbox_easy(wrapped.data() + kNonceBytes,
                        reinterpret_cast<const std::uint8_t*>(&content), sizeof content,
                        wrapped.data(), key_.data());
  sodium_memzero(&content, sizeof content);
  return {wrapped.begin(), wrapped.end()};
}

std::optional<HashKey> SaltBox::unwrap(Days day, std::string_view wrapped) const {
  Content content;
  if (wrapped.size() != kNonceBytes + crypto_secretbox_MACBYTES + sizeof content) {
    return std::nullopt;
  }
  const int wrong = crypto_secretbox_open_easy(
      reinterpret_cast<std::uint8_t*>(&content), bytes_of(wrapped) + kNonceBytes,
      wrapped.size() - kNonceBytes, bytes_of(wrapped), key_.data());
  if (wrong != 0 || content.day != number_of(day)) return std::nullopt;
  return content.salt;
}

}  // namespace analytics::cluster
