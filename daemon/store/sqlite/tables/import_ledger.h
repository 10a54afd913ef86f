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

/// Records which bulk requests were accepted: the ranges and record ids of imports, and the first
/// answer of each key. Owns the tables imports, import_ranges, record_ids and batch_answers. Used
/// inside the writer's transactions; throws SqliteError.
class ImportLedger {
 public:
  explicit ImportLedger(Connection& connection);  ///< `connection` must outlive this object.

  /// State of an import range at a site.
  struct Claim {
    ImportId import = 0;
    bool known = false;       ///< The site has already stored the range, with the same bytes.
    bool elsewhere = false;   ///< The known range is stored under another Import-Id.
    LineOutcomes outcomes{};  ///< Outcomes of the lines that name the site.
    std::int64_t events = 0;  ///< Events stored under the claim.
  };
  /// Claims a range for a site. Creates the import if it is new. Throws Error kRangeOverlap.
  Claim claim(SiteId site, const ImportRange& range, UnixSeconds now);
  /// Stores the range of a claim that was not known, with the outcomes of its lines.
  void keep(const Claim& claim, const ImportRange& range);
  /// Returns true if the import was not undone.
  [[nodiscard]] bool exists(ImportId import);
  /// Counts an event that is stored after its range was kept.
  void count_event(ImportId import) { count_.run(1, import); }
  /// Adds to the number of lines of totals stored under the claim.
  void count_totals(const Claim& claim, std::int64_t lines);
  [[nodiscard]] std::optional<ImportId> find_import(SiteId site, const std::string& name);
  /// Records that only the cluster will have the events up to `last`. This store can then no longer
  /// undo their imports.
  void mark_incomplete(EventId last);
  /// Records the same for events of these imports.
  void mark_incomplete(const std::set<ImportId>& imports);
  /// Throws Error kTooOldForCluster if the store can no longer undo the import.
  void require_whole(ImportId import);
  /// Returns the import with that name, or else the imports of that log, in order of creation.
  [[nodiscard]] std::vector<std::string> names_of(SiteId site, const std::string& name_or_log);
  /// Returns the sites of the account that have the import. If the key is limited to some sites,
  /// returns only those.
  std::vector<SiteId> sites_of(const ImportRange& range);
  /// Stores the record's id. Returns false if an import that still exists has stored it before.
  bool spend_record(SiteId site, const Digest& id, ImportId import);

  /// Deletes an import, but not its ranges and record ids: see the functions below.
  void remove_import(SiteId site, const std::string& name);
  /// Removes the imports of a deleted site with their ranges, including imports that are being
  /// undone.
  void forget_site(SiteId site);
  /// Removes some ranges of an import. Returns false if there were no more.
  bool remove_ranges(ImportId import, std::int64_t most);
  /// Looks at the site's next `looked` record ids from `from` on and removes those of the import.
  /// Returns the id to continue from; nullopt at the end.
  std::optional<Digest> remove_records(SiteId site, ImportId import, const Digest& from,
                                       std::int64_t looked);
  /// Removes some record ids of a deleted site. Returns true while there is more to do.
  bool remove_some_records(SiteId site, std::int64_t most);

  /// Returns the answer stored with the key; nullopt if the key is new. Throws Error
  /// kIdempotencyMismatch if the key was used for another body.
  std::optional<std::string> first_answer(const BatchKey& key, UnixSeconds now);
  void keep_answer(const BatchKey& key, const std::string& answer);
  /// Forgets some expired answers.
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
