#pragma once

#include <map>

#include "daemon/store/salts.h"

namespace analytics::test {

/// Salts in memory.
class FakeSalts final : public store::Salts {
 public:
  Result<std::vector<HashKey>> ensure(std::span<const store::SaltDay> days) override {
    std::vector<HashKey> all;
    for (const auto& [day, expires_at] : days) {
      const auto [at, is_new] = salts_.try_emplace(day, Salt{random_hash_key(), expires_at});
      all.push_back(at->second.key);
    }
    return all;
  }
  Result<std::optional<HashKey>> find(Days day) override {
    const auto found = salts_.find(day);
    return found == salts_.end() ? std::nullopt : std::optional(found->second.key);
  }
  Result<bool> destroy_expired(UnixSeconds now) override {
    std::erase_if(salts_, [now](const auto& salt) { return salt.second.expires_at <= now; });
    return true;
  }

 private:
  struct Salt {
    HashKey key;
    UnixSeconds expires_at;
  };
  std::map<Days, Salt> salts_;
};

}  // namespace analytics::test
