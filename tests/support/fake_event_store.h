#pragma once

#include <condition_variable>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "daemon/store/event_store.h"

namespace analytics::test {

/// An in-memory EventStore. A test can make it wait, and make it refuse events of a given name or
/// fail to sync them.
class FakeEventStore final : public store::EventStore {
 public:
  /// Makes the next append wait until release().
  void hold() {
    const std::scoped_lock lock(mutex_);
    holding_ = true;
  }
  void wait_until_held() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return held_; });
  }
  void release() {
    const std::scoped_lock lock(mutex_);
    holding_ = false;
    changed_.notify_all();
  }
  void refuse(const std::string& name, ErrorCode code) { refused_[name] = code; }
  void lose_sync_at(const std::string& name) { lost_at_ = name; }
  [[nodiscard]] std::vector<std::vector<std::string>> batches() {
    const std::scoped_lock lock(mutex_);
    return batches_;
  }

  Status append(std::span<const Event* const> events, std::span<EventOutcome> outcomes, UnixSeconds,
                const store::Admit&) override {
    std::unique_lock lock(mutex_);
    held_ = true;
    changed_.notify_all();
    changed_.wait(lock, [this] { return !holding_; });
    std::vector<std::string> names;
    for (std::size_t i = 0; i < events.size(); ++i) {
      const auto& name = events[i]->name;
      if (name == lost_at_) throw store::StoreLost("as the test wants it");
      if (const auto found = refused_.find(name); found != refused_.end()) {
        return fail(found->second, "refused");
      }
      outcomes[i] = EventOutcome::kStored;
      names.push_back(name);
    }
    batches_.push_back(std::move(names));
    return {};
  }
  Result<store::BulkResult> append_bulk(const store::BulkRequest& request,
                                        UnixSeconds now) override {
    std::vector<const Event*> events;
    for (const auto& event : request.events) events.push_back(&event);
    store::BulkResult result;
    result.outcomes.resize(events.size());
    if (auto done = append(events, result.outcomes, now, {}); !done) return fail(done.error());
    return result;
  }
  Result<store::RangeState> append_totals(const store::TotalsRequest&, UnixSeconds) override {
    return store::RangeState::kNew;
  }
  Result<EventOutcome> judge(const Event&, UnixSeconds, const store::Admit&) override {
    return EventOutcome::kStored;
  }
  Status remove(const EventSelection&, UnixSeconds, Removed) override { return {}; }
  void stop_waiting() override {}
  std::vector<store::ReplacedTexts> take_replaced_texts() override { return {}; }
  Status publish() override { return {}; }
  Result<bool> after_batch() override { return false; }
  Status finish() override { return {}; }
  Status probe(UnixSeconds) override { return {}; }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool holding_ = false;
  bool held_ = false;
  std::string lost_at_;
  std::map<std::string, ErrorCode> refused_;
  std::vector<std::vector<std::string>> batches_;
};

}  // namespace analytics::test
