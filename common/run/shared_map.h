#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <functional>
#include <memory>
#include <unordered_map>
#include <utility>

namespace analytics {

/// A hash map whose copies share their unchanged entries. Copying takes the same time for any size;
/// the first change to a copy then copies a 256th of the map. A map must not be changed once it has
/// been copied, so that any thread may read it.
template <typename Key, typename Value, typename Hash = std::hash<Key>>
class SharedMap {
 public:
  SharedMap() = default;
  SharedMap(const SharedMap& other) : shards_(other.shards_) {}
  SharedMap& operator=(const SharedMap& other) {
    shards_ = other.shards_;
    are_own_.reset();
    return *this;
  }
  // After a move, `other` may only be destroyed or assigned to.
  SharedMap(SharedMap&& other) noexcept = default;
  SharedMap& operator=(SharedMap&& other) noexcept = default;
  ~SharedMap() = default;

  /// Returns the key's value, which lives as long as any copy of the map contains it; null if the
  /// map lacks the key.
  [[nodiscard]] const Value* find(const Key& key) const {
    const auto& shard = shards_[number_of(key)];
    if (shard == nullptr) return nullptr;
    const auto found = shard->find(key);
    return found == shard->end() ? nullptr : &found->second;
  }
  void set(const Key& key, Value value) { own(key).insert_or_assign(key, std::move(value)); }
  void erase(const Key& key) {
    if (find(key) != nullptr) own(key).erase(key);
  }
  [[nodiscard]] std::size_t size() const {
    std::size_t sum = 0;
    for (const auto& shard : shards_) sum += shard == nullptr ? 0 : shard->size();
    return sum;
  }
  /// Calls `take` with each key and value, in no particular order.
  template <typename Take>
  void each(const Take& take) const {
    for (const auto& shard : shards_) {
      if (shard == nullptr) continue;
      for (const auto& [key, value] : *shard) take(key, value);
    }
  }

 private:
  using Shard = std::unordered_map<Key, Value, Hash>;
  static constexpr std::size_t kShards = 256;

  static std::size_t number_of(const Key& key) { return Hash()(key) % kShards; }

  /// Returns the key's shard for changes, after copying it if other maps share it.
  Shard& own(const Key& key) {
    const auto number = number_of(key);
    auto& shard = shards_[number];
    if (!are_own_[number]) {
      shard = shard == nullptr ? std::make_shared<Shard>() : std::make_shared<Shard>(*shard);
      are_own_.set(number);
    }
    return *shard;
  }

  std::array<std::shared_ptr<Shard>, kShards> shards_;
  std::bitset<kShards> are_own_;  ///< True for each shard that belongs to this map alone.
};

}  // namespace analytics
