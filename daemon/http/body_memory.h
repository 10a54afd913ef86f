#pragma once

#include <cstddef>
#include <functional>
#include <list>
#include <mutex>
#include <string>
#include <unordered_map>

namespace analytics::http {

/// Bounds the memory of request bodies that are still arriving, so that many slow senders cannot
/// fill it. Above the limit, the oldest body is given up. Any thread.
class BodyMemory {
  struct Entry {
    std::string client;
    std::function<void()> give_up;
    std::size_t bytes = 0;
    bool is_given_up = false;
  };
  using Entries = std::list<Entry>;

 public:
  /// Bytes of a body that are read even while the memory is full. Smaller bodies need no share.
  static constexpr std::size_t kAlwaysRead = 16'384;
  /// Divisor: one client may use the limit divided by this, or a single body of any size.
  static constexpr std::size_t kClientPart = 8;

  explicit BodyMemory(std::size_t limit) : limit_(limit) {}

  /// Accounts for the memory of an arriving body. Its destructor returns the bytes.
  class Share {
   public:
    /// `client` names the sender; bodies with an empty name share no limit of their own. `give_up`
    /// is called at most once, from any thread, when the body must make room; it must not block.
    Share(BodyMemory& memory, std::string client, std::function<void()> give_up);
    ~Share();
    Share(const Share&) = delete;
    Share& operator=(const Share&) = delete;

    /// Sets how many bytes have arrived. Returns false if this body itself must be given up.
    [[nodiscard]] bool set(std::size_t bytes);

   private:
    BodyMemory& memory_;
    Entries::iterator entry_;
  };

  /// Returns the bytes of all bodies that are still arriving and not given up.
  [[nodiscard]] std::size_t bytes() const;

 private:
  [[nodiscard]] bool is_over(const Entry& entry) const;
  Entries::iterator oldest(const std::string* client);
  void release(Entry& entry);

  const std::size_t limit_;
  mutable std::mutex mutex_;
  Entries entries_;        // guarded by mutex_; oldest first
  std::size_t bytes_ = 0;  // guarded by mutex_
  struct Client {
    std::size_t bytes = 0;
    std::size_t bodies = 0;  ///< Bodies that are not given up.
  };
  std::unordered_map<std::string, Client> clients_;  // guarded by mutex_
  std::size_t bodies_ = 0;                           // guarded by mutex_; not given up
};

}  // namespace analytics::http
