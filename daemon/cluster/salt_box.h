#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "common/run/secret.h"
#include "common/text/time.h"

namespace analytics::cluster {

/// Encrypts salts with a key that every node of a cluster has, but the registry does not. So the
/// registry and its backups reveal nothing about visitors. Uses libsodium's secretbox (XSalsa20
/// with Poly1305: https://doc.libsodium.org/secret-key_cryptography/secretbox).
class SaltBox {
 public:
  /// Derives the key from the contents of the key file.
  explicit SaltBox(std::string_view secret);
  SaltBox(const SaltBox&) = delete;
  SaltBox& operator=(const SaltBox&) = delete;
  ~SaltBox();

  /// Encrypts the salt of a day.
  [[nodiscard]] std::string wrap(Days day, const HashKey& salt) const;
  /// Decrypts the salt of a day. Returns nullopt if it was encrypted with another key or for
  /// another day.
  [[nodiscard]] std::optional<HashKey> unwrap(Days day, std::string_view wrapped) const;

 private:
  std::array<std::uint8_t, 32> key_{};
};

}  // namespace analytics::cluster
