#pragma once

#include <filesystem>
#include <memory>
#include <stdexcept>

#include "daemon/query/budget.h"
#include "daemon/store/event_reader.h"
#include "daemon/store/event_store.h"
#include "daemon/store/registry.h"
#include "daemon/store/stats_store.h"

namespace analytics::store {

struct Limits {
  StoreLimits events;
  query::Limits stats;
};

/// The read interfaces of one worker thread.
struct Reader {
  std::unique_ptr<RegistryReader> registry;
  std::unique_ptr<StatsStore> stats;
  std::unique_ptr<EventReader> events;
};

/// An open store. The writer thread owns events() and registry().
class Backend {
 public:
  virtual ~Backend() = default;
  virtual EventStore& events() = 0;
  virtual Registry& registry() = 0;
  virtual Reader open_reader() = 0;  ///< Throws when it cannot.
};

/// The file is damaged, not ours, or of a newer version.
struct StoreUnusable : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace analytics::store
