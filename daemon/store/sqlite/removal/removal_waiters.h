#pragma once

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "daemon/store/event_store.h"
#include "daemon/store/sqlite/tables/removal_table.h"

namespace analytics::sqlite {

/// Callbacks that are called when the events of a removal are gone from the database files. Writer
/// thread only.
class RemovalWaiters {
 public:
  using Done = store::EventStore::Removed;

  void add(RemovalId removal, Done done) {
    waiting_.push_back({removal, std::move(done), {}});
    if (given_up_) give_up(*given_up_);
  }
  /// Notes that a removal has finished, after removing `removed` events. The files may still
  /// contain copies of these events.
  void note_finished(RemovalId removal, std::int64_t removed) {
    for (auto& waiting : waiting_) {
      if (waiting.removal == removal) waiting.removed = removed;
    }
  }
  /// Returns true if a removal is finished whose callback still waits until the files contain no
  /// copies of its events.
  [[nodiscard]] bool has_finished() const {
    return std::any_of(waiting_.begin(), waiting_.end(),
                       [](const auto& waiting) { return waiting.removed.has_value(); });
  }
  /// Calls the callbacks of finished removals, because the files no longer contain any of their
  /// events.
  void answer_finished() {
    for (auto& waiting : take([](const auto& each) { return each.removed.has_value(); })) {
      waiting.done(*waiting.removed);
    }
  }
  /// Calls all callbacks with the error, also those that are added later.
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
