#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "daemon/model/import.h"
#include "daemon/store/sqlite/line_outcomes.h"
#include "daemon/store/sqlite/sqlite.h"

namespace analytics::sqlite {

/// Knows which bulk requests were taken in: the ranges and records of imports, and the first
/// answers of keys. Owns the tables imports, import_ranges, record_ids and batch_answers. Used
/// inside the writer's transactions; throws SqliteError.
class ImportLedger {
 public:
  explicit ImportLedger(Connection& connection);  ///< `connection` must outlive this object.

  /// A site's state with regard to a range.
  struct Claim {
    ImportId import = 0;
    bool known = false;       ///< The site has stored it already, with the same bytes,
    bool elsewhere = false;   ///< under another Import-Id.
    LineOutcomes outcomes{};  ///< Outcomes of the site's lines: stored, or to be stored.
    std::int64_t events = 0;  ///< Stored under the claim.
  };
  /// Makes the import when it is new. Throws Error kRangeOverlap.
  Claim claim(SiteId site, const ImportRange& range, UnixSeconds now);
  /// Keeps the range of a claim that was not known, and what became of its lines.
  void keep(const Claim& claim, const ImportRange& range);
  /// Lines of totals were stored under the claim.
  void count_totals(const Claim& claim, std::int64_t lines);
  [[nodiscard]] std::optional<ImportId> find_import(SiteId site, const std::string& name);
  /// Events up to `last` leave the store, which cannot take back their imports then.
  void let_go(EventId last);
  /// Events of these imports leave.
  void let_go(const std::set<ImportId>& imports);
  /// Throws Error kTooOldForCluster if the store cannot take the import back.
  void require_whole(ImportId import);
  /// The import of that name; if there is none, those of that log. In the order in which they were
  /// made.
  [[nodiscard]] std::vector<std::string> names_of(SiteId site, const std::string& name_or_log);
  /// Sites of the account, and of the key where it is limited, that hold something of the import.
  std::vector<SiteId> sites_of(const ImportRange& range);
  /// Stores the record's id. Returns false if an import that still exists has stored it before.
  bool spend_record(SiteId site, const Digest& id, ImportId import);

  /// Ends an import. Its ranges and record ids are removed by the functions below.
  void remove_import(SiteId site, const std::string& name);
  /// Removes the imports of a deleted site with their ranges, also of those that are leaving.
  void forget_site(SiteId site);
  /// Removes some ranges of an import. Returns false when there were none.
  bool remove_ranges(ImportId import, std::int64_t most);
  /// Removes the record ids of an import among the site's next `looked` from `from` on. Returns
  /// where to go on, nullopt at the end.
  std::optional<Digest> remove_records(SiteId site, ImportId import, const Digest& from,
                                       std::int64_t looked);
  /// Removes some record ids of a deleted site. Returns true while there is more to do.
  bool remove_some_records(SiteId site, std::int64_t most);

  /// The answer kept with the key; none when the key is new. Throws Error kIdempotencyMismatch.
  std::optional<std::string> first_answer(const BatchKey& key, UnixSeconds now);
  void keep_answer(const BatchKey& key, const std::string& answer);
  /// Forgets some answers that are over.
  void expire_answers(UnixSeconds now);

 private:
  ImportId find_or_make(SiteId site, const ImportRange& range, UnixSeconds now);
  [[noreturn]] void refuse(ImportId import, const ImportRange& range);

  Connection& connection_;
  Statement find_import_;
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
