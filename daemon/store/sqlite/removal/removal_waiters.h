#pragma once

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "daemon/store/event_store.h"
#include "daemon/store/sqlite/tables/removal_table.h"

namespace analytics::sqlite {

/// The callbacks of removals whose events are not gone from the files yet. Writer thread only.
class RemovalWaiters {
 public:
  using Done = store::EventStore::Removed;

  void add(RemovalId removal, Done done) {
    waiting_.push_back({removal, std::move(done), {}});
    if (given_up_) give_up(*given_up_);
  }
  /// Notes that a removal is over. Copies of its events may still be in the files.
  void note_finished(RemovalId removal, std::int64_t removed) {
    for (auto& waiting : waiting_) {
      if (waiting.removal == removal) waiting.removed = removed;
    }
  }
  /// Returns true if a removal is over and only waits until no copies are left in the files.
  [[nodiscard]] bool has_finished() const {
    return std::any_of(waiting_.begin(), waiting_.end(),
                       [](const auto& waiting) { return waiting.removed.has_value(); });
  }
  /// Answers the removals that are over, because the files contain none of their events any more.
  void answer_finished() {
    for (auto& waiting : take([](const auto& each) { return each.removed.has_value(); })) {
      waiting.done(*waiting.removed);
    }
  }
  /// Answers all removals, and those added later, with the error.
  void give_up(const Error& error) {
    given_up_ = error;
    for (auto& waiting : take([](const auto&) { return true; })) waiting.done(fail(error));
  }

 private:
  struct Waiting {
    RemovalId removal = 0;
    Done done;
    std::optional<std::int64_t> removed;
  };
  template <typename Is>
  std::vector<Waiting> take(const Is& is) {
    std::vector<Waiting> taken;
    for (auto& waiting : waiting_) {
      if (is(waiting)) taken.push_back(std::move(waiting));
    }
    std::erase_if(waiting_, [](const auto& waiting) { return !waiting.done; });
    return taken;
  }

  std::vector<Waiting> waiting_;
  std::optional<Error> given_up_;
};

}  // namespace analytics::sqlite
