#pragma once

#include <cstddef>
#include <functional>
#include <list>
#include <mutex>
#include <string>
#include <unordered_map>

namespace analytics::http {

/// Bounds the memory of bodies on their way, so that slow clients cannot fill it: of requests that
/// are arriving, or of answers that are being sent. Above the limit, the oldest body is given up.
/// Any thread.
class BodyMemory {
  struct Entry {
    std::string client;
    std::function<void()> give_up;
    std::size_t bytes = 0;
    bool is_given_up = false;
  };
  using Entries = std::list<Entry>;

 public:
  /// Bodies of up to so many bytes need no share.
  static constexpr std::size_t kSmall = 16'384;
  /// Divisor: one client may use the limit divided by this, or a single body of any size.
  static constexpr std::size_t kClientPart = 8;

  explicit BodyMemory(std::size_t limit) : limit_(limit) {}

  /// Accounts for the memory of a body. Its destructor returns the bytes.
  class Share {
   public:
    /// `client` names the client; bodies with an empty name have no limit per client. `give_up`
    /// is called at most once, from any thread, when the body must make room; it must not block.
    Share(BodyMemory& memory, std::string client, std::function<void()> give_up);
    ~Share();
    Share(const Share&) = delete;
    Share& operator=(const Share&) = delete;

    /// Sets how many bytes the body takes. Returns false if this body itself must be given up.
    [[nodiscard]] bool set(std::size_t bytes);

   private:
    BodyMemory& memory_;
    Entries::iterator entry_;
  };

  /// Returns the bytes of all bodies that are not given up.
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
