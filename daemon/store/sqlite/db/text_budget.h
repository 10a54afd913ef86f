#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "daemon/store/event_store.h"
#include "daemon/store/sqlite/db/event_fields.h"

namespace analytics::sqlite {

/// The sender of a text and the day on which it arrived.
struct TextSource {
  Days today{};               ///< The UTC day of arrival.
  std::uint64_t sender = 0;   ///< See Event::sender.
  std::uint64_t network = 0;  ///< See Event::network.
  bool begins_visit = false;  ///< The text's event is the first of a visit.
  bool is_limited = true;     ///< False: its texts do not spend the budget.
};

/// Limits the new texts that senders can add to a site, by UTC day and kind, so that junk paths
/// never use up the room for names, browsers or countries. A sender may use a tenth of a budget,
/// and a network of senders a fifth. The last fifth is for later events of visits, because most
/// junk is a single event. Kept in memory: a restart begins a new budget.
class TextBudget {
 public:
  explicit TextBudget(const store::StoreLimits& limits) : limits_(limits) {}
  void set_limits(const store::StoreLimits& limits) { limits_ = limits; }

  /// Counts a text of `bytes` bytes and returns true if there is room for it.
  bool spend(SiteId site, StringKind kind, std::size_t bytes, const TextSource& source);
  /// Undoes spend() for a text that is not stored after all.
  void refund(SiteId site, StringKind kind, std::size_t bytes, const TextSource& source);
  /// Counts a text that was stored as "(other)".
  void replaced(SiteId site, StringKind kind, const TextSource& source);
  /// Returns the texts replaced since the last call.
  [[nodiscard]] std::vector<store::ReplacedTexts> take_replaced();

 private:
  static constexpr std::size_t kMaxSenders = 100'000;  ///< Senders with a share of their own.
  static constexpr std::uint64_t kEveryone = 0;        ///< The share of all senders together.
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
    std::int64_t replaced = 0;  ///< Texts since the last take_replaced().
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
