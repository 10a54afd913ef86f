#pragma once

#include <functional>

#include "daemon/ingest/batch_writer.h"
#include "daemon/ingest/site_directory.h"
#include "daemon/store/registry.h"

namespace analytics {

/// Changes of the registry, made on the writer thread and visible to every thread before the one
/// who asked is told. Any thread may call.
class Provisioning {
 public:
  /// Publishes the directory once. All references must outlive this object and the writer's tasks.
  Provisioning(BatchWriter& writer, store::Registry& registry, SiteDirectory& directory, Log& log);

  /// `change` runs on the writer thread; `done` gets what it returned after its effects are
  /// published. When too much waits, `done` gets kOverloaded at once.
  template <typename T>
  void change(std::function<Result<T>(store::Registry&)> change,
              std::function<void(Result<T>)> done) {
    const bool queued = writer_.post([this, change = std::move(change), done] {
      auto result = change(registry_);
      refresh();
      done(std::move(result));
    });
    if (!queued) done(fail(ErrorCode::kOverloaded, "Too many changes are waiting."));
  }

 private:
  void refresh();  ///< Publishes when the registry's revision moved. Writer thread.

  BatchWriter& writer_;
  store::Registry& registry_;
  SiteDirectory& directory_;
  Log& log_;
  std::uint64_t published_ = 0;
};

}  // namespace analytics
