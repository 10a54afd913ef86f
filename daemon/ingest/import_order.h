#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>

#include "daemon/model/import.h"

namespace analytics {

/// Keeps the batches of an import in order if a client sends one before the previous one is
/// answered. Several may be parsed at once, but they reach the writer one after another. They must
/// keep the order of the file, because it decides with which of the pages of the same second a
/// visit began. The order is kept only in memory; a client whose batch is refused sends it again
/// after the preceding one is answered. The order ends at the writer: if a commit fails, the next
/// batch may still be stored. Any thread. Must outlive the turns.
class ImportOrder {
  struct Place;

 public:
  /// The place of a batch in the order, from its arrival until the writer has it.
  class Turn {
   public:
    Turn(ImportOrder& order, std::shared_ptr<Place> own, std::shared_ptr<Place> before);
    ~Turn() { end(false); }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

    /// Calls `go` once: now, or when the turn of the preceding batch ends, on the thread that ends
    /// it. `is_next` is false if that batch did not reach the writer. REQUIRES: one call, before
    /// end().
    void when_next(std::function<void(bool is_next)> go);
    /// Ends the turn. `is_taken`: true if the writer has the batch. Only the first call counts.
    void end(bool is_taken);

   private:
    ImportOrder& order_;
    std::shared_ptr<Place> own_;
    std::shared_ptr<Place> before_;
  };

  /// Adds a batch to the order. `after`: the range of the batch that must reach the writer first.
  /// Returns null if that batch is not the last that arrived for its import and source, or if more
  /// than kMostWaiting batches wait.
  [[nodiscard]] std::unique_ptr<Turn> arrive(AccountId account, const ImportRange& range,
                                             const std::optional<ByteRange>& after);

 private:
  static constexpr std::size_t kMostRemembered = 1'000;  // source files of imports
  static constexpr int kMostWaiting = 16;                // batches; their turns end recursively

  struct Place {
    enum class State { kOnItsWay, kTaken, kRefused };
    ByteRange bytes;
    int waiting = 0;  ///< Preceding batches that had not reached the writer at its arrival.
    State state = State::kOnItsWay;
    std::function<void(bool)> next{};
  };
  std::mutex mutex_;  ///< Guards all members and all places.
  /// Last batch to arrive, by import and source.
  std::unordered_map<std::string, std::shared_ptr<Place>> last_;
  std::deque<std::string> remembered_;  ///< The keys of last_, oldest first.
};

}  // namespace analytics
