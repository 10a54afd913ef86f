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

/// Passes the batches of an import to the writer in the order of their source file, even if the
/// client sends a batch before the preceding one is answered. Batches may be parsed in parallel.
/// The order matters because it decides which of several pages in the same second began a visit.
/// The order is kept only in memory: a client whose batch is refused sends it again after the
/// preceding batch is answered. The order ends at the writer: if a commit fails, the next batch may
/// still be stored. Any thread. Must outlive the turns.
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
    /// that turn. `is_next` is false if the preceding batch did not reach the writer. REQUIRES: is
    /// called once, before end().
    void when_next(std::function<void(bool is_next)> go);
    /// Ends the turn. `is_taken`: true if the writer has the batch. Only the first call counts.
    void end(bool is_taken);

   private:
    ImportOrder& order_;
    std::shared_ptr<Place> own_;
    std::shared_ptr<Place> before_;
  };

  /// Adds a batch to the order. `after`: the bytes of the batch that must reach the writer first;
  /// nullopt if there is no such batch. Returns null if that batch is not the last that arrived
  /// for this import and source file, or if more than kMaxWaiting batches wait.
  [[nodiscard]] std::unique_ptr<Turn> arrive(AccountId account, const ImportRange& range,
                                             const std::optional<ByteRange>& after);

 private:
  static constexpr std::size_t kMaxRemembered = 1'000;  // maximum number of keys in last_
  // Maximum number of waiting batches; bounds the recursion of end().
  static constexpr int kMaxWaiting = 16;

  /// The state of a batch in the order. The next batch shares it.
  struct Place {
    enum class State { kOnItsWay, kTaken, kRefused };
    ByteRange bytes;
    int waiting = 0;  ///< Number of batches that this one had to wait for at its arrival.
    State state = State::kOnItsWay;
    /// Function of the next batch, if that batch waits; called when this batch's turn ends.
    std::function<void(bool)> next{};
  };
  std::mutex mutex_;  ///< Guards all members and all places.
  /// Last batch that arrived, by account, import and source file.
  std::unordered_map<std::string, std::shared_ptr<Place>> last_;
  std::deque<std::string> remembered_;  ///< Keys of `last_`, oldest first.
};

}  // namespace analytics
