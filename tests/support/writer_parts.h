#pragma once

#include "daemon/ingest/batch_writer.h"
#include "tests/support/fake_event_store.h"
#include "tests/support/fake_salts.h"

namespace analytics::test {

/// All objects that a BatchWriter needs besides its config, with a store and salts in memory.
struct WriterParts {
  FakeEventStore events;
  FakeSalts salts;
  VisitorIds visitors{salts};
  DropCounters counters;
  Published<Settings> settings;
  Metrics metrics{{}};
  SystemClock clock;
  Log log{LogLevel::kOff};

  BatchWriter make_writer(const BatchWriterConfig& config, std::function<void()> lost) {
    return {config, events, visitors, counters, settings, metrics, clock, log, std::move(lost)};
  }
};

}  // namespace analytics::test
