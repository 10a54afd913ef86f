#pragma once

#include <cstdint>
#include <deque>

#include "daemon/store/journal.h"
#include "daemon/store/sqlite/db/change_log.h"
#include "daemon/store/sqlite/db/sqlite.h"

namespace analytics::sqlite {

/// Records how much of a store's events and changes has been shipped to a cluster. Owns the tables
/// journal and journal_blocks, and deletes shipped rows of journal_changes.
class SqliteJournal final : public store::Journal {
 public:
  /// The references must outlive this object.
  SqliteJournal(Connection& connection, ChangeLog& changes)
      : connection_(connection), changes_(changes) {}

  [[nodiscard]] bool has_begun() const override { return changes_.is_on(); }
  Status begin() override;
  Status leave() override;
  Status plan(std::span<const store::JournalBlock> blocks) override;
  Status confirm(EventId last, UnixSeconds now) override;
  Status confirm_changes(std::uint64_t last, UnixSeconds now) override;
  Status renew(std::span<const store::JournalBlock> lost, UnixSeconds now) override;
  Status note_damaged(std::int64_t removal, std::span<const store::NodeVisit> visits) override;
  Status note_rebuilt(std::int64_t removal) override;
  Status note_nodes(std::int64_t removal, std::span<const std::uint32_t> nodes) override;
  Status note_done_here(std::int64_t removal) override;
  Status finish_removal(std::int64_t removal) override;
  void set_witness(store::Witness witness) override { changes_.set_witness(std::move(witness)); }
  Status forget_before(UnixSeconds time) override;

 private:
  /// A confirmation that all changes up to the number `last` were shipped.
  struct Confirmed {
    UnixSeconds at{};
    std::uint64_t last = 0;
  };

  Connection& connection_;
  ChangeLog& changes_;
  std::deque<Confirmed> kept_;  ///< Confirmed changes that are not deleted yet.
};

}  // namespace analytics::sqlite
