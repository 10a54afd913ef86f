#pragma once

#include <map>

#include "daemon/store/salts.h"

namespace analytics::test {

/// An in-memory store of the days' salts.
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
  Result<std::vector<store::Salt>> known(std::span<const Days> days) override {
    std::vector<store::Salt> all;
    for (const auto day : days) {
      const auto found = salts_.find(day);
      if (found == salts_.end()) continue;
      all.push_back({{day, found->second.expires_at}, found->second.key});
    }
    return all;
  }
  Result<std::vector<Days>> add(std::span<const store::Salt> salts) override {
    std::vector<Days> others;
    for (const auto& salt : salts) {
      const auto at = salts_.try_emplace(salt.of.day, Salt{salt.value, salt.of.expires_at}).first;
      if (at->second.key != salt.value) others.push_back(salt.of.day);
    }
    return others;
  }
  Result<bool> destroy_expired(UnixSeconds now) override {
    std::erase_if(salts_, [now](const auto& salt) {
      const auto expires_at = salt.second.expires_at;
      return expires_at <= now || expires_at - store::kLatestExpiry > now;
    });
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
