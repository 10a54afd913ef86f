#pragma once

#include "daemon/cluster/shipping.h"
#include "daemon/store/sqlite/journal_reader.h"
#include "tests/cluster/clickhouse_process.h"
#include "tests/daemon/store/query_maker.h"

namespace analytics::test {

/// A real store as a node whose events a real server of ClickHouse has.
class ShippedStore {
 public:
  ShippedStore(const ClickHouseProcess& server, std::string node, std::string cluster = "")
      : name_(std::move(node)),
        cluster_(std::move(cluster)),
        server_({.url = server.url()}, never_) {
    REQUIRE(store.journal().begin());
  }

  /// Ships all that there is, with a mark of that moment.
  void ship(UnixMillis now) {
    sqlite::SqliteJournalReader reader(store.file());
    cluster::Shipping::Options options;
    options.times = {std::chrono::seconds(1), std::chrono::milliseconds(20)};
    options.state.node = name_;
    options.state.cluster = cluster_;
    cluster::Shipping shipping(
        reader,
        [this](const auto& work) {
          store.write();
          auto journal = store.journal();
          return work(journal);
        },
        server_, [](auto) { return true; }, options);
    auto more = shipping.round(now);
    while (more && *more) more = shipping.round(now);
    INFO((more ? std::string() : more.error().message));
    REQUIRE(more);
  }

  Store store;

 private:
  const std::string name_;
  const std::string cluster_;
  const std::atomic<bool> never_{false};
  cluster::ClickHouse server_;
};

}  // namespace analytics::test
