#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "daemon/model/event.h"
#include "daemon/model/import.h"
#include "daemon/store/sqlite/sqlite.h"

namespace analytics::sqlite {

/// The tables undos and undo_visits: imports that are being taken back, and visits that have lost
/// events by it. Used inside the writer's transactions; throws SqliteError.
class UndoTable {
 public:
  /// `connection` must outlive this object.
  explicit UndoTable(Connection& connection) : connection_(connection) {}

  struct Undo {
    ImportId import = 0;
    SiteId site = 0;
    EventId next = 0;  ///< Events before it are gone.
    EventId last = 0;
    std::optional<std::int64_t> earliest;  ///< Seconds, of what was removed.
  };
  /// Begins to take an import back. Returns false if the site has none of that name.
  bool begin(SiteId site, const std::string& name);
  [[nodiscard]] bool has(SiteId site, const std::string& name);
  [[nodiscard]] std::optional<Undo> next();
  /// Notes how far it has come: `undo` as it is now, and how many events have gone since.
  void advance(const Undo& undo, std::int64_t removed);
  void finish(ImportId import);
  /// Forgets what was to be undone of a deleted site.
  void forget_site(SiteId site);

  void add_damaged(ImportId import, VisitId visit);
  /// Names each damaged visit by the one that took it in.
  void follow_merges(ImportId import);
  /// Returns up to `most` damaged visits, and how many events each had.
  [[nodiscard]] std::vector<std::pair<VisitId, std::int64_t>> damaged(ImportId import,
                                                                      std::int64_t most);
  void remove_damaged(ImportId import, VisitId visit);

 private:
  Connection& connection_;
};

}  // namespace analytics::sqlite
