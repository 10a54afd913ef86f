#pragma once

#include "daemon/store/registry_reader.h"
#include "daemon/store/sqlite/db/sqlite.h"

namespace analytics::sqlite {

/// Reads the registry (sites, goals, links, imports …) for requests. One thread at a time.
class SqliteRegistryReader final : public store::RegistryReader {
 public:
  /// Opens its own read-only connection to the database. Throws SqliteError.
  explicit SqliteRegistryReader(const std::filesystem::path& file)
      : connection_(file, Role::kReader) {}

  Result<store::Page<Site>> list_sites(AccountId account, const std::vector<std::string>& only,
                                       const store::PageRequest& page) override;
  Result<Site> site(SiteId site) override;
  Result<store::Page<Goal>> list_goals(SiteId site, const store::PageRequest& page) override;
  Result<store::Page<Exclusion>> list_exclusions(SiteId site,
                                                 const store::PageRequest& page) override;
  Result<std::vector<Link>> list_links(SiteId site) override;
  Result<std::vector<Funnel>> list_funnels(SiteId site) override;
  Result<std::vector<AccountLink>> list_account_links(AccountId account) override;
  Result<std::optional<UnixSeconds>> last_event_at(SiteId site) override;
  Result<std::optional<UnixSeconds>> last_alert_at(SiteId site, AlertKind kind) override;
  Result<store::Page<Import>> list_imports(SiteId site, const store::PageRequest& page) override;
  Result<std::vector<store::OutcomeCount>> list_drops(SiteId site, UnixSeconds since) override;
  Result<Import> import(SiteId site, const std::string& name_or_log,
                        const store::WantedRanges& wanted) override;

 private:
  /// Returns an import that is being undone, with the events that are still to be removed.
  Result<Import> leaving_import(SiteId site, const std::string& name_or_log);
  /// Sets the import's source files, each with its stored byte ranges, and for each UTC day how
  /// many events arrived after the day's salt was destroyed.
  void read_sources(Import& import, const store::WantedRanges& wanted);

  Connection connection_;
};

}  // namespace analytics::sqlite
