#pragma once

#include <filesystem>
#include <memory>
#include <set>

#include "daemon/store/journal.h"
#include "daemon/store/sqlite/db/sqlite.h"
#include "daemon/store/sqlite/journal/journal_texts.h"

namespace analytics::sqlite {

class SqliteJournalReader final : public store::JournalReader {
 public:
  /// Opens its own connection to the database. Throws SqliteError.
  explicit SqliteJournalReader(const std::filesystem::path& file);

  /// Returns true if the database is a journal. Throws SqliteError.
  [[nodiscard]] bool is_journal();
  Result<store::JournalState> state() override;
  Result<store::JournalEnd> end() override;
  Result<EventId> each_event(EventId after, EventId upto, const Bounds& bounds,
                             const Take& take) override;
  Result<store::JournalChanges> changes(std::uint64_t after) override;
  Result<std::vector<store::JournalVisit>> visits_of(EventId first, EventId last) override;
  Result<std::vector<VisitId>> stored_among(std::span<const VisitId> visits) override;
  Result<std::vector<store::JournalVisit>> visits_between(VisitId first, VisitId last) override;
  Result<std::vector<store::JournalMove>> merges() override;
  Result<std::vector<store::JournalSite>> sites() override;
  Result<std::vector<store::JournalExpiry>> expired(UnixSeconds now) override;
  Result<std::vector<store::OutcomeCount>> drops(UnixSeconds from) override;
  Result<std::vector<store::LateDay>> late_days() override;
  Result<std::vector<store::JournalCount>> count_events(EventId upto) override;
  Result<std::vector<store::JournalCount>> count_visits(UnixSeconds before) override;
  Result<std::vector<store::JournalGroup>> group_events(EventId upto) override;
  Result<std::vector<store::JournalGroup>> group_visits(UnixSeconds before) override;
  Result<std::vector<store::ClusterRemoval>> cluster_removals() override;
  Result<std::vector<store::JournalBlock>> confirmed() override;
  Result<std::vector<store::JournalRange>> recently_confirmed() override;

 private:
  [[nodiscard]] std::vector<store::JournalBlock> blocks(const char* condition);
  [[nodiscard]] std::vector<store::JournalVisit> read_visits(Statement& select, std::int64_t first,
                                                             std::int64_t last);
  void add_visit(VisitId id, std::uint64_t version, std::vector<store::JournalVisit>& to);
  [[nodiscard]] bool has_events_between(SiteId site, EventId after, EventId before);
  void add_change(const Rows& row, store::JournalChanges& changes, std::set<VisitId>& visits);

  Connection connection_;
  JournalTexts texts_;
  Statement events_;
  Statement visit_;
  Statement between_;
  EventId forgotten_event_ = 0;  ///< Newest forgotten event as of the last changes().
};

/// Opens the journal in a database for reading. Errors: kInvalidParameter if the database is not a
/// journal.
[[nodiscard]] Result<std::unique_ptr<store::JournalReader>> open_journal(
    const std::filesystem::path& database);

}  // namespace analytics::sqlite
