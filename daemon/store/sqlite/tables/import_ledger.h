#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "daemon/model/import.h"
#include "daemon/store/sqlite/db/sqlite.h"
#include "daemon/store/sqlite/tables/line_outcomes.h"

namespace analytics::sqlite {

/// Records which bulk requests were accepted: the import ranges and record ids of imports, and the
/// first answer to each idempotency key. Owns the tables imports, import_ranges, record_ids and
/// batch_answers. Used inside the writer's transactions; throws SqliteError.
class ImportLedger {
 public:
  explicit ImportLedger(Connection& connection);  ///< `connection` must outlive this object.

  /// An import range at one site, which a request claims before it stores events under it.
  struct Claim {
    ImportId import = 0;
    bool known = false;  ///< True if the site has already stored the range, with the same bytes.
    bool elsewhere = false;   ///< True if the known range is stored under another Import-Id.
    LineOutcomes outcomes{};  ///< Outcomes of the lines of the range that name the site.
    std::int64_t events = 0;  ///< Number of events stored under the claim.
  };
  /// Claims an import range for a site. Creates the import if it is new. Throws Error
  /// kRangeOverlap if the range overlaps a stored range of the import and is not the same range
  /// with the same bytes.
  Claim claim(SiteId site, const ImportRange& range, UnixSeconds now);
  /// Stores the import range of a claim that is not `known`, with the outcomes of its lines and
  /// the number of its events.
  void keep(const Claim& claim, const ImportRange& range);
  /// Returns true if the import exists, that is, was not undone.
  [[nodiscard]] bool exists(ImportId import);
  /// Adds an event to the import's count, for an event that is stored later than its range.
  void count_event(ImportId import) { count_.run(1, import); }
  /// Adds `lines` to the import's number of lines of daily totals.
  void count_totals(const Claim& claim, std::int64_t lines);
  /// Returns the import of that name; nullopt if the site has no such import.
  [[nodiscard]] std::optional<ImportId> find_import(SiteId site, const std::string& name);
  /// Records that this store is about to leave all events up to `last` to the cluster alone. The
  /// store can then no longer undo the imports of these events.
  void mark_incomplete(EventId last);
  /// Records that this store is about to leave events of these imports to the cluster alone. The
  /// store can then no longer undo these imports.
  void mark_incomplete(const std::set<ImportId>& imports);
  /// Throws Error kTooOldForCluster if only the cluster still has some events of the import, so
  /// that this store can no longer undo it.
  void require_whole(ImportId import);
  /// Returns the name of the import with that name, or else the names of all imports of the rotated
  /// access log with that name, in order of creation. Empty if none exist.
  [[nodiscard]] std::vector<std::string> names_of(SiteId site, const std::string& name_or_log);
  /// Returns the sites of the range's account that have data of the import. Leaves out sites that
  /// the API key may not use (see ImportRange::only_sites).
  std::vector<SiteId> sites_of(const ImportRange& range);
  /// Stores the id of an imported record, so that the record is not stored twice. Returns false if
  /// the record is already stored, unless an import that was undone has stored it.
  bool spend_record(SiteId site, const Digest& id, ImportId import);

  /// Deletes an import, but not its ranges and record ids: remove_ranges() and remove_records()
  /// delete these.
  void remove_import(SiteId site, const std::string& name);
  /// Deletes the imports of a deleted site with their ranges, including imports that are being
  /// undone.
  void forget_site(SiteId site);
  /// Deletes up to `most` ranges of an import. Returns false if there were no more.
  bool remove_ranges(ImportId import, std::int64_t most);
  /// Looks at the site's next `looked` record ids from `from` on and deletes those of the import.
  /// Returns the id to continue from; nullopt at the end.
  std::optional<Digest> remove_records(SiteId site, ImportId import, const Digest& from,
                                       std::int64_t looked);
  /// Deletes up to `most` record ids of a deleted site. Returns true while there may be more.
  bool remove_some_records(SiteId site, std::int64_t most);

  /// Returns the answer stored with the idempotency key; nullopt if the key is new. Throws Error
  /// kIdempotencyMismatch if the key was used for another body.
  std::optional<std::string> first_answer(const BatchKey& key, UnixSeconds now);
  /// Stores the first answer to a request with an idempotency key.
  void keep_answer(const BatchKey& key, const std::string& answer);
  /// Deletes some expired answers.
  void expire_answers(UnixSeconds now);

 private:
  ImportId find_or_make(SiteId site, const ImportRange& range, UnixSeconds now);
  [[noreturn]] void refuse(ImportId import, const ImportRange& range);

  Connection& connection_;
  Statement find_import_;
  Statement exists_;
  Statement make_import_;
  Statement before_end_;
  Statement elsewhere_;
  Statement ranges_;
  Statement sites_of_;
  Statement hold_;
  Statement count_;
  Statement find_answer_;
  Statement keep_answer_;
  Statement spend_record_;
};

}  // namespace analytics::sqlite
