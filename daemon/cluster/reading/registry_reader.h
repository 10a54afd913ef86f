#pragma once

#include <atomic>
#include <memory>

#include "daemon/cluster/state_shipper.h"
#include "daemon/store/registry_reader.h"

namespace analytics::cluster {

/// Reads sites and settings from this node's copy of the cluster's registry. Counts of drops, and
/// the times of sites' first and last events, come from all nodes of the cluster.
class ClusterRegistryReader final : public store::RegistryReader {
 public:
  /// `cluster`: name of the cluster, from cluster_of(). `times` must outlive the object.
  ClusterRegistryReader(std::unique_ptr<store::RegistryReader> own, ClickHouseConfig config,
                        std::string cluster, const Published<TimesOfSites>& times);

  Result<store::Page<Site>> list_sites(AccountId account, const std::vector<std::string>& only,
                                       const store::PageRequest& page) override;
  Result<Site> site(SiteId site) override;
  Result<Site> site_of_now(SiteId site) override;
  Result<std::optional<UnixSeconds>> last_event_at(SiteId site) override;
  Result<std::vector<store::OutcomeCount>> list_drops(SiteId site, UnixSeconds since) override;

  Result<store::Page<Goal>> list_goals(SiteId site, const store::PageRequest& page) override {
    return own_->list_goals(site, page);
  }
  Result<std::vector<Funnel>> list_funnels(SiteId site) override {
    return own_->list_funnels(site);
  }
  Result<std::vector<Link>> list_links(SiteId site) override { return own_->list_links(site); }
  Result<std::vector<AccountLink>> list_account_links(AccountId account) override {
    return own_->list_account_links(account);
  }
  Result<std::optional<UnixSeconds>> last_alert_at(SiteId site, AlertKind kind) override {
    return own_->last_alert_at(site, kind);
  }
  Result<store::Page<Exclusion>> list_exclusions(SiteId site,
                                                 const store::PageRequest& page) override {
    return own_->list_exclusions(site, page);
  }
  Result<store::Page<Import>> list_imports(SiteId site, const store::PageRequest& page) override {
    return own_->list_imports(site, page);
  }
  Result<Import> import(SiteId site, const std::string& name_or_log,
                        const store::WantedRanges& wanted) override {
    return own_->import(site, name_or_log, wanted);
  }

 private:
  [[nodiscard]] std::optional<SiteTimes> times_of(SiteId site, std::chrono::seconds most_age);

  const std::unique_ptr<store::RegistryReader> own_;
  const std::string cluster_;
  const std::atomic<bool> never_{false};
  ClickHouse server_;
  const Published<TimesOfSites>& times_;
};

}  // namespace analytics::cluster
