#pragma once

#include "daemon/cluster/shipping.h"
#include "daemon/store/sqlite/journal/journal_reader.h"
#include "tests/cluster/clickhouse_process.h"
#include "tests/daemon/store/query_maker.h"
#include "tests/support/eventually.h"

namespace analytics::test {

/// A store that ships its events as a node to a ClickHouse server.
class ShippedStore {
 public:
  ShippedStore(const ClickHouseProcess& server, std::string node, std::string cluster = "")
      : name_(std::move(node)),
        cluster_(std::move(cluster)),
        server_({.url = server.url()}, never_) {
    REQUIRE(store.journal().begin());
  }

  /// Ships everything that is stored, with a mark of the time `now`.
  void ship(UnixMillis now) {
    work(now, [&](cluster::Shipping& shipping) {
      auto more = shipping.round(now);
      while (more && *more) more = shipping.round(now);
      return more;
    });
  }
  /// Ships in two rounds: the first round of a Shipping sends visits again, and only the mark of
  /// the second confirms that everything was shipped.
  void ship_twice(UnixMillis now) {
    work(now, [&](cluster::Shipping& shipping) {
      const auto once = shipping.round(now);
      return once ? shipping.round(now + std::chrono::seconds(10)) : once;
    });
  }
  /// Ships everything that is stored and all later changes to it.
  void ship_changes(UnixMillis now) {
    sqlite::JournalReader reader(store.file());
    work(now, [&](cluster::Shipping& shipping) {
      Result<bool> more;
      const bool is_done = eventually([&] {
        more = shipping.round(now);
        return !more || reader.state()->changes >= reader.end()->change;
      });
      REQUIRE(is_done);
      return more;
    });
  }
  /// Ships everything, then sends the blocks again that differ.
  void repair(UnixMillis now) {
    work(now, [&](cluster::Shipping& shipping) {
      auto done = shipping.round(now);
      while (done && *done) done = shipping.round(now);
      if (done) done = shipping.repair(now);
      REQUIRE((!done || *done));
      return done;
    });
  }

  Store store;

 private:
  template <typename Work>
  void work(UnixMillis now, const Work& with) {
    sqlite::JournalReader reader(store.file());
    cluster::Shipping::Options options;
    options.times = {std::chrono::seconds(1), std::chrono::milliseconds(20)};
    options.state.node = name_;
    options.state.cluster = cluster_;
    options.registry_read_at = [&] { return std::chrono::floor<std::chrono::seconds>(now); };
    cluster::Shipping shipping(
        reader,
        [this](const auto& change) {
          store.write();
          auto journal = store.journal();
          return change(journal);
        },
        server_, [](auto) { return true; }, options);
    const auto done = with(shipping);
    INFO((done ? std::string() : done.error().message));
    REQUIRE(done);
  }

  const std::string name_;
  const std::string cluster_;
  const std::atomic<bool> never_{false};
  cluster::ClickHouse server_;
};

}  // namespace analytics::test
