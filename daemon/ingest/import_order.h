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

/// Keeps the batches of an import in order where a client sends one before the last was answered:
/// two may be parsed at once, and still come to the writer one after the other. Of events of the
/// same second the order tells which page a visit began with, so that it must be the file's. What
/// has arrived is known in memory only; whoever is refused sends again when the one before was
/// answered. What the writer then does is its own: a commit that fails can part two batches. Any
/// thread. Must outlive the turns.
class ImportOrder {
  struct Place;

 public:
  /// A batch from its arrival until the writer has it.
  class Turn {
   public:
    Turn(ImportOrder& order, std::shared_ptr<Place> own, std::shared_ptr<Place> before);
    ~Turn() { end(false); }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

    /// Calls `go` once: now, or when the batch before has ended its turn, on that one's thread.
    /// `is_next` is false if that one did not come to the writer. REQUIRES: once, before end().
    void when_next(std::function<void(bool is_next)> go);
    /// `is_taken`: the writer has the batch. Only the first call counts.
    void end(bool is_taken);

   private:
    ImportOrder& order_;
    std::shared_ptr<Place> own_;
    std::shared_ptr<Place> before_;
  };

  /// Gives a batch that has arrived its place. `after`: the range of the one that must come to the
  /// writer first. Returns null if that is not the last one of the import and source to arrive, or
  /// if too many wait for each other.
  [[nodiscard]] std::unique_ptr<Turn> arrive(AccountId account, const ImportRange& range,
                                             const std::optional<ByteRange>& after);

 private:
  static constexpr std::size_t kMostRemembered = 1'000;  // imports
  static constexpr int kMostWaiting = 16;  // for each other: each ends its turn inside the last's

  struct Place {
    enum class State { kOnItsWay, kTaken, kRefused };
    ByteRange bytes;
    int waiting = 0;  ///< Those that were before it on their way.
    State state = State::kOnItsWay;
    std::function<void(bool)> next{};
  };
  std::mutex mutex_;  ///< Guards everything here, and all places.
  std::unordered_map<std::string, std::shared_ptr<Place>> last_;  ///< By import and source.
  std::deque<std::string> remembered_;                            ///< The keys, oldest first.
};

}  // namespace analytics
