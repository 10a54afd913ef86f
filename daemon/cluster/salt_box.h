#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "common/secret.h"
#include "common/time.h"

namespace analytics::cluster {

/// Wraps salts with a key that every node of a cluster has and its registry has not: who reads the
/// registry, or a backup of it, learns nothing of visitors. libsodium's secretbox (XSalsa20,
/// Poly1305: https://doc.libsodium.org/secret-key_cryptography/secretbox).
class SaltBox {
 public:
  /// Made of the contents of the key file.
  explicit SaltBox(std::string_view secret);
  SaltBox(const SaltBox&) = delete;
  SaltBox& operator=(const SaltBox&) = delete;
  ~SaltBox();

  [[nodiscard]] std::string wrap(Days day, const HashKey& salt) const;
  /// nullopt if it was wrapped with another key, or for another day.
  [[nodiscard]] std::optional<HashKey> unwrap(Days day, std::string_view wrapped) const;

 private:
  std::array<std::uint8_t, 32> key_{};
};

}  // namespace analytics::cluster
