#pragma once

#include <memory>

#include "daemon/store/event_reader.h"
#include "daemon/store/registry_reader.h"
#include "daemon/store/stats_store.h"

namespace analytics::store {

/// The interfaces through which one worker thread reads the store.
struct Reader {
  std::unique_ptr<RegistryReader> registry;
  std::unique_ptr<StatsStore> stats;
  std::unique_ptr<EventReader> events;
};

}  // namespace analytics::store
