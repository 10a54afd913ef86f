#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "daemon/ingest/batch_writer.h"
#include "daemon/ingest/site_directory.h"
#include "daemon/store/registry.h"
#include "daemon/store/shared_registry.h"

namespace analytics {

/// Changes of the registry, made on the writer thread and visible to every thread before the one
/// who asked is told. Any thread may call.
class Provisioning {
 public:
  /// Publishes the directory once. All references must outlive this object and the writer's tasks.
  Provisioning(BatchWriter& writer, store::Registry& registry, SiteDirectory& directory, Log& log);

  /// From now on what is shared is changed in that order. Before the first change; both must
  /// outlive this object.
  void follow(store::ChangeOrder& order, store::SharedRegistry& shared) {
    order_ = &order;
    shared_ = &shared;
  }

  template <typename T>
  using Change = std::function<Result<T>(store::Registry&)>;
  template <typename T>
  using Done = std::function<void(Result<T>)>;

  /// Changes sites, what belongs to them, accounts or keys. `change` runs on the writer thread, in
  /// a cluster as a draft that is taken back; `done` gets what it returned after its effects are
  /// published. When too much waits, `done` gets kOverloaded at once.
  template <typename T>
  void change(Change<T> change, Done<T> done) {
    if (order_ == nullptr) return change_here<T>(std::move(change), std::move(done));
    auto outcome = std::make_shared<std::optional<Result<T>>>();
    order_->carry_out(
        [this, change = std::move(change), outcome] {
          return shared_->draft([&] { outcome->emplace(change(registry_)); });
        },
        [done = std::move(done), outcome](const Status& made) {
          done(made ? std::move(**outcome) : Result<T>(fail(made.error())));
        });
  }

  /// Changes what this store alone has, or looks at something.
  template <typename T>
  void change_here(Change<T> change, Done<T> done) {
    const bool queued = writer_.post([this, change = std::move(change), done] {
      auto result = change(registry_);
      refresh();
      done(std::move(result));
    });
    if (!queued) done(fail(ErrorCode::kOverloaded, "Too many changes are waiting."));
  }

  /// True if what is shared is shared with other nodes.
  [[nodiscard]] bool is_shared() const { return order_ != nullptr; }
  /// Has every node remove events that were stored before now: `done` is called once all have begun
  /// to that are there. REQUIRES: is_shared(), and a selection of no import.
  void remove_everywhere(const EventSelection& what, UnixSeconds now,
                         std::function<void(const Status&)> done);

  void refresh();  ///< Publishes when the registry's revision moved. Writer thread.

 private:
  BatchWriter& writer_;
  store::Registry& registry_;
  SiteDirectory& directory_;
  Log& log_;
  std::uint64_t published_ = 0;
  store::ChangeOrder* order_ = nullptr;  ///< Null: this store's own.
  store::SharedRegistry* shared_ = nullptr;
};

}  // namespace analytics
