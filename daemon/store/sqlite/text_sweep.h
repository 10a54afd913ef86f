#pragma once

#include <array>
#include <optional>
#include <set>
#include <vector>

#include "daemon/model/event.h"
#include "daemon/store/sqlite/dictionary.h"
#include "daemon/store/sqlite/event_table.h"
#include "daemon/store/sqlite/part_table.h"
#include "daemon/store/sqlite/row_walk.h"
#include "daemon/store/sqlite/sqlite.h"
#include "daemon/store/sqlite/string_table.h"
#include "daemon/store/sqlite/totals_table.h"

namespace analytics::sqlite {

/// Removes the texts of a site that nothing uses any more, after events were removed: their URLs
/// may be why. A slice at a time, each inside a transaction of the writer: first all events of
/// the site are looked through, then its sealed parts and daily totals, then the texts. What is not
/// finished begins again after a restart.
class TextSweep {
 public:
  /// The owners of texts, and of what uses them.
  struct Tables {
    EventTable& events;
    PartTable& parts;
    TotalsTable& totals;
    StringTable& strings;
    Dictionary& dictionary;
  };
  /// A slice looks at `rows` events, or at as many texts. All references must outlive this object.
  TextSweep(Connection& connection, const Tables& tables, std::int64_t rows)
      : connection_(connection), tables_(tables), rows_(rows) {}

  /// The site's texts are to be looked through. In the transaction that has removed events of it.
  void request(SiteId site);
  /// The same, but not before start_later(): more events are about to leave. After a restart it is
  /// looked for at once.
  void request_later(SiteId site);
  void start_later() { later_.clear(); }
  /// The site was deleted: nothing is to be looked for.
  void forget(SiteId site);
  /// True if a site is asked for. Forgets the pass over one that was deleted.
  [[nodiscard]] bool is_due();
  /// False when no site is asked for. True: something was done, and there may be more. REQUIRES:
  /// all hours are written.
  bool slice();
  /// Forgets the pass, whose findings may come from the transaction that was rolled back.
  void rolled_back() { pass_.reset(); }

 private:
  struct Pass {
    SiteId site = 0;
    RowWalk rows;
    query::PartId part = 0;   ///< The last part that was looked at.
    std::int64_t totals = 0;  ///< The last row of daily totals.
    /// For each of kEventFields, and then for kTotal: the numbers that are used.
    std::array<std::vector<bool>, kEventFields.size() + 1> used;
    StringTable::Stored looked;  ///< The last text that was looked at.
  };

  std::optional<SiteId> next_site();
  bool look_at_events();
  bool look_at_parts();
  bool look_at_totals();
  void use(std::size_t field, std::int64_t number);
  bool remove_texts();

  Connection& connection_;
  const Tables tables_;
  const std::int64_t rows_;
  std::optional<Pass> pass_;
  std::set<SiteId> later_;
};

}  // namespace analytics::sqlite
