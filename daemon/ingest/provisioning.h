#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "daemon/ingest/batch_writer.h"
#include "daemon/ingest/site_directory.h"
#include "daemon/model/event_selection.h"
#include "daemon/store/change_order.h"

namespace analytics::sqlite {
class Registry;
class SharedRegistry;
}  // namespace analytics::sqlite

namespace analytics {

/// Changes the registry (accounts, sites and their settings, keys, links) on the writer thread.
/// Each change is visible to all threads before its `done` is called. Any thread may call.
class Provisioning {
 public:
  /// Publishes the first snapshot of `directory`; throws if the registry cannot be read. All
  /// references must outlive this object and the writer's tasks.
  Provisioning(BatchWriter& writer, sqlite::Registry& registry, SiteDirectory& directory, Log& log);

  /// Makes this a node of a cluster: passes changes through `order`, which puts those of all nodes
  /// in sequence. Call it before the first change; both references must outlive this object.
  void follow(store::ChangeOrder& order, sqlite::SharedRegistry& shared) {
    order_ = &order;
    shared_ = &shared;
  }

  template <typename T>
  using Change = std::function<Result<T>(sqlite::Registry&)>;
  template <typename T>
  using Done = std::function<void(Result<T>)>;

  /// Changes the registry, on all nodes of a cluster. `change` runs on the writer thread; in a
  /// cluster it runs as a draft, which is rolled back. `done` gets the result of `change` after the
  /// effects are published. If too many changes wait, `done` gets kOverloaded at once.
  template <typename T>
  void change(Change<T> change, Done<T> done) {
    if (order_ == nullptr) return change_here<T>(std::move(change), std::move(done));
    auto outcome = std::make_shared<std::optional<Result<T>>>();
    auto drafted = [this, change = std::move(change), outcome] {
      return draft([&] { outcome->emplace(change(registry_)); });
    };
    order_->carry_out(std::move(drafted), [done = std::move(done), outcome](const Status& made) {
      done(made ? std::move(**outcome) : Result<T>(fail(made.error())));
    });
  }

  /// Runs `change` on the writer thread of this node only: for data that nodes do not share, or for
  /// a `change` that only reads.
  template <typename T>
  void change_here(Change<T> change, Done<T> done) {
    const bool queued = writer_.post([this, change = std::move(change), done] {
      auto result = change(registry_);
      refresh();
      done(std::move(result));
    });
    if (!queued) done(fail(ErrorCode::kOverloaded, "Too many changes are waiting."));
  }

  /// Returns true if the registry is shared with other nodes.
  [[nodiscard]] bool is_shared() const { return order_ != nullptr; }
  /// Makes every node remove the selected events that it stored before `now`. Calls `done` once all
  /// nodes that are up have begun. REQUIRES: is_shared(); `what` names no import.
  void remove_everywhere(const EventSelection& what, UnixSeconds now,
                         std::function<void(const Status&)> done);

  void refresh();  ///< Publishes changes of the registry. Writer thread only.

 private:
  /// Returns what `change` changes in the shared registry, in a transaction that is rolled back.
  [[nodiscard]] Result<store::RegistryChange> draft(const std::function<void()>& change);

  BatchWriter& writer_;
  sqlite::Registry& registry_;
  SiteDirectory& directory_;
  Log& log_;
  /// Order of a cluster's changes; null if the registry is not shared.
  store::ChangeOrder* order_ = nullptr;
  sqlite::SharedRegistry* shared_ = nullptr;
};

}  // namespace analytics
