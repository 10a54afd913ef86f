#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace analytics::query {

/// A hash table of 64-bit keys for counting distinct values: open addressing with linear probing,
/// at most three quarters full. It is much smaller than a table with a node per key, and a lookup
/// usually costs one cache miss.
template <typename Slot>
class FlatTable {
 public:
  /// Result of insert(): the key's slot, valid until the next insert(), and whether the key is new.
  struct Found {
    Slot& slot;
    bool is_new;
  };
  /// Returns the slot of a key; adds one if the key is new.
  Found insert(std::uint64_t key) {
    if (4 * (size_ + 1) > 3 * slots_.size()) grow();
    auto& slot = find(slots_, key + 1);
    if (slot.key() != kFree) return {slot, false};
    slot.set_key(key + 1);
    ++size_;
    return {slot, true};
  }
  [[nodiscard]] bool contains(std::uint64_t key) {
    return !slots_.empty() && find(slots_, key + 1).key() != kFree;
  }
  [[nodiscard]] std::size_t size() const { return size_; }
  /// Returns the size of the table in bytes.
  [[nodiscard]] std::size_t memory() const { return slots_.capacity() * sizeof(Slot); }

 private:
  static constexpr std::uint64_t kFree = 0;  // marks an empty slot, so slots store the key plus 1
  static constexpr std::size_t kFirst = 64;  // initial number of slots; it stays a power of two

  static Slot& find(std::vector<Slot>& slots, std::uint64_t key) {
    // Fibonacci hashing (Knuth, TAOCP 3, 6.4): the high bits of the product are well mixed.
    const int shift = std::countl_zero(slots.size()) + 1;
    auto at = static_cast<std::size_t>((key * 0x9E3779B97F4A7C15u) >> shift);
    while (slots[at].key() != kFree && slots[at].key() != key) at = (at + 1) & (slots.size() - 1);
    return slots[at];
  }

  void grow() {
    std::vector<Slot> larger(slots_.empty() ? kFirst : 2 * slots_.size());
    for (const auto& slot : slots_) {
      if (slot.key() != kFree) find(larger, slot.key()) = slot;
    }
    slots_.swap(larger);
  }

  std::vector<Slot> slots_;
  std::size_t size_ = 0;
};

/// A slot of a FlatTable that has only a key.
class KeySlot {
 public:
  [[nodiscard]] std::uint64_t key() const { return key_; }
  void set_key(std::uint64_t key) { key_ = key; }

 private:
  std::uint64_t key_ = 0;
};

/// A slot of a FlatTable with a key and its number. The key is split in two so that a slot takes
/// 12 bytes rather than 16.
class NumberSlot {
 public:
  [[nodiscard]] std::uint64_t key() const { return std::uint64_t{high_} << 32 | low_; }
  void set_key(std::uint64_t key) {
    high_ = static_cast<std::uint32_t>(key >> 32);
    low_ = static_cast<std::uint32_t>(key);
  }
  std::uint32_t number = 0;

 private:
  std::uint32_t high_ = 0;
  std::uint32_t low_ = 0;
};

/// A set of 64-bit keys. REQUIRES: no key is 2⁶⁴ - 1.
class FlatSet {
 public:
  /// Adds a key. Returns true if it is new.
  bool insert(std::uint64_t key) { return table_.insert(key).is_new; }
  [[nodiscard]] bool contains(std::uint64_t key) { return table_.contains(key); }
  [[nodiscard]] std::size_t memory() const { return table_.memory(); }

 private:
  FlatTable<KeySlot> table_;
};

/// Numbers keys 0, 1, 2 … in the order in which they first occur. REQUIRES: no key is 2⁶⁴ - 1.
class Numbering {
 public:
  std::uint32_t number(std::uint64_t key) {
    const auto found = table_.insert(key);
    if (found.is_new) found.slot.number = static_cast<std::uint32_t>(table_.size() - 1);
    return found.slot.number;
  }
  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(table_.size()); }
  [[nodiscard]] std::size_t memory() const { return table_.memory(); }

 private:
  FlatTable<NumberSlot> table_;
};

}  // namespace analytics::query
