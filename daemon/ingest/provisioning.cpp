#include "daemon/ingest/provisioning.h"

#include <stdexcept>

#include "daemon/store/sqlite/registry/registry.h"

namespace analytics {

Provisioning::Provisioning(BatchWriter& writer, sqlite::Registry& registry,
                           SiteDirectory& directory, Log& log)
    : writer_(writer), registry_(registry), directory_(directory), log_(log) {
  auto all = registry_.directory();  // reading is safe here, because the writer has no tasks yet
  if (!all) throw std::runtime_error(all.error().message);
  directory_.publish(DirectorySnapshot(std::move(*all)));
}

void Provisioning::refresh() {
  auto changes = registry_.take_changes();
  if (!changes) {
    return log_.error("the directory could not be read", {{"reason", changes.error().reason()}});
  }
  if (*changes) directory_.publish(directory_.snapshot()->with(std::move(**changes)));
}

Result<store::RegistryChange> Provisioning::draft(const std::function<void()>& change) {
  return shared_->draft(change);
}

void Provisioning::remove_everywhere(const EventSelection& what, UnixSeconds now,
                                     std::function<void(const Status&)> done) {
  order_->carry_out(
      [what, now]() -> Result<store::RegistryChange> {
        store::RegistryChange change;
        change.removal = store::SharedRemoval{what, now};
        change.withdraws = true;
        return change;
      },
      std::move(done));
}

}  // namespace analytics
