#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "daemon/store/event_store.h"
#include "daemon/store/sqlite/db/event_fields.h"

namespace analytics::sqlite {

/// The sender and the day of a new text. They decide which budgets the text is counted against.
struct TextSource {
  Days today{};               ///< The UTC day of arrival.
  std::uint64_t sender = 0;   ///< Hash of the client's address; 0 for no limit per sender.
  std::uint64_t network = 0;  ///< Hash of the sender's network; 0 for no limit per network.
  bool begins_visit = false;  ///< True if the text is from the first event of a visit.
  bool is_limited = true;     ///< False if the text is counted against no budget.
};

/// Limits the new texts that senders can add to a site, by UTC day and kind, so that junk paths
/// never use up the room for names, browsers or countries. A sender may use a tenth of a budget,
/// and a network of senders a fifth. The first events of visits may not use the last fifth of a
/// budget, because most junk is a single event. Kept in memory: a restart begins a new budget.
class TextBudget {
 public:
  explicit TextBudget(const store::StoreLimits& limits) : limits_(limits) {}
  void set_limits(const store::StoreLimits& limits) { limits_ = limits; }

  /// Counts a new text of `bytes` bytes and returns true if the budgets of its site, sender and
  /// network have room for it. Otherwise returns false.
  bool spend(SiteId site, StringKind kind, std::size_t bytes, const TextSource& source);
  /// Undoes spend() for a text that is not stored after all.
  void refund(SiteId site, StringKind kind, std::size_t bytes, const TextSource& source);
  /// Counts a text that was stored as "(other)", because there was no room for it.
  void replaced(SiteId site, StringKind kind, const TextSource& source);
  /// Returns how many texts were replaced since the last call, by site and kind.
  [[nodiscard]] std::vector<store::ReplacedTexts> take_replaced();

 private:
  /// Maximum number of members of used_ for senders and networks. Further senders are counted only
  /// against the budget of all senders together.
  static constexpr std::size_t kMaxSenders = 100'000;
  /// Key::share that stands for all senders together.
  static constexpr std::uint64_t kEveryone = 0;
  struct Key {
    SiteId site = 0;
    StringKind kind{};
    std::uint64_t share = kEveryone;  ///< A sender, a network or kEveryone.
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const {
      return static_cast<std::size_t>(
          (static_cast<std::uint64_t>(key.site) * 31 + static_cast<std::uint64_t>(key.kind)) *
              0x9E3779B97F4A7C15u ^
          key.share);
    }
  };
  struct Used {
    std::int64_t texts = 0;
    std::int64_t bytes = 0;
    /// Number of texts that were stored as "(other)" since the last take_replaced().
    std::int64_t replaced = 0;
    bool was_reported = false;
  };
  /// A sender or network, and the percentage of a budget that it may use.
  struct Share {
    std::uint64_t of = kEveryone;
    std::int64_t percent = 100;
  };
  static std::vector<Share> shares_of(const TextSource& source);
  [[nodiscard]] bool has_room(const Used& used, std::int64_t bytes, std::int64_t percent) const;
  void begin(Days today);

  store::StoreLimits limits_;
  Days today_{};
  std::unordered_map<Key, Used, KeyHash> used_;
  std::size_t senders_ = 0;
  std::vector<Key> replaced_;
};

}  // namespace analytics::sqlite
