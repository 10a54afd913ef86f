#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

namespace analytics {

/// Counts the memory that clients' requests and answers, queries and caches use, so that a single
/// limit bounds the total. Above the limit, the client (an address or account) that uses the most
/// loses its oldest request body, answer or query. Bulk requests and caches are never dropped, but
/// a bulk request is refused if there is no room. Any thread.
class MemoryLedger {
 public:
  enum class Holder {
    /// Large request bodies that are arriving. Above the share of all bodies, the oldest is
    /// dropped.
    kBodies,
    kAnswers,  ///< Large answers that are being sent.
    kBulk,     ///< Bulk requests. They are refused while there is no room, but never dropped.
    kQueries,  ///< Queries, each of which has its own limit as well.
    kCaches,   ///< Caches, which have their own limits and are never dropped.
  };
  static constexpr std::size_t kHolders = 5;
  /// Bodies, answers and bulk requests may each use the limit divided by this number. A body or
  /// answer that is the only one may use more.
  static constexpr std::size_t kHolderPart = 16;
  /// Several bodies of the same client may use the share of all bodies divided by this number.
  static constexpr std::size_t kOwnerPart = 8;

  explicit MemoryLedger(std::size_t limit) : limit_(limit) {}
  MemoryLedger(const MemoryLedger&) = delete;
  MemoryLedger& operator=(const MemoryLedger&) = delete;

 private:
  struct Entry {
    Entry(Holder of, std::string whose, std::function<void()> how)
        : holder(of), owner(std::move(whose)), drop(std::move(how)) {}
    Holder holder;
    std::string owner;
    std::function<void()> drop;
    std::size_t bytes = 0;
    std::atomic<bool> is_dropped{false};
  };
  using Entries = std::list<Entry>;

 public:
  /// Memory counted for one object, such as a request body. The destructor subtracts its bytes.
  class Item {
   public:
    /// `owner` is an address or the name of an account; empty if unknown, as behind a proxy.
    /// `drop` is called at most once, from any thread, when the object must be freed to make room
    /// for another; it must not block.
    Item(MemoryLedger& ledger, Holder holder, std::string owner, std::function<void()> drop = {});
    ~Item();
    Item(const Item&) = delete;
    Item& operator=(const Item&) = delete;

    /// Sets the size of the item. Returns false if this item itself must be freed, or is dropped
    /// already.
    [[nodiscard]] bool set(std::size_t bytes);
    [[nodiscard]] bool is_dropped() const { return entry_->is_dropped; }

   private:
    MemoryLedger& ledger_;
    Entries::iterator entry_;
  };

  /// Reserves bytes for a bulk request until the returned pointer is released; null if there is no
  /// room. A known owner's reservations, including this one, may not exceed the bytes that are free
  /// without this one, so that an owner with many requests leaves room for others. The ledger must
  /// outlive the pointer.
  [[nodiscard]] std::shared_ptr<void> reserve_bulk(std::size_t bytes, std::string owner);

  [[nodiscard]] std::size_t limit() const { return limit_; }
  /// Returns the limit of bulk requests.
  [[nodiscard]] std::size_t bulk_limit() const { return limit_ / kHolderPart; }
  [[nodiscard]] std::size_t bytes(Holder holder) const;
  /// Returns the number of items of this kind that have been dropped to make room.
  [[nodiscard]] std::uint64_t dropped(Holder holder) const;

 private:
  struct Held {
    std::size_t bytes = 0;
    std::size_t items = 0;  ///< Number of items that are not dropped.
    std::uint64_t dropped = 0;
  };
  Held& held(Holder holder) { return held_[static_cast<std::size_t>(holder)]; }
  [[nodiscard]] std::size_t sum() const;
  Entries::iterator next_to_drop(Entries::iterator growing);
  [[nodiscard]] Held held_among(const std::function<bool(const Entry&)>& among) const;
  Entries::iterator oldest(const std::function<bool(const Entry&)>& among);
  Entries::iterator oldest_of_greediest(const std::function<bool(const Entry&)>& among);
  void release(Entry& entry);
  void drop(Entry& entry);

  const std::size_t limit_;
  mutable std::mutex mutex_;
  Entries entries_;                    // all items, oldest first; guarded by mutex_
  std::array<Held, kHolders> held_{};  // by Holder; guarded by mutex_
};

}  // namespace analytics
