#include "daemon/ingest/provisioning.h"

#include <stdexcept>

namespace analytics {

Provisioning::Provisioning(BatchWriter& writer, store::Registry& registry, SiteDirectory& directory,
                           Log& log)
    : writer_(writer), registry_(registry), directory_(directory), log_(log) {
  auto all = registry_.directory();  // no task runs yet: nothing has been posted
  if (!all) throw std::runtime_error(all.error().message);
  directory_.publish(std::move(*all));
  published_ = registry_.revision();
}

void Provisioning::refresh() {
  if (registry_.revision() == published_) return;
  auto all = registry_.directory();
  if (!all)
    return log_.error("the directory could not be read", {{"reason", all.error().reason()}});
  directory_.publish(std::move(*all));
  published_ = registry_.revision();
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
