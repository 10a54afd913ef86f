#pragma once

#include <array>
#include <map>
#include <optional>
#include <vector>

#include "daemon/model/event.h"
#include "daemon/store/sqlite/dictionary.h"
#include "daemon/store/sqlite/schema.h"
#include "daemon/store/sqlite/sqlite.h"

namespace analytics::sqlite {

/// Removes the texts of a site that no event uses any more, after an import was taken back: its
/// URLs may be why. A slice at a time, each inside a transaction of the writer: first all events of
/// the site are looked through, then the texts. What is not finished begins again after a restart.
class TextSweep {
 public:
  /// A slice looks at `rows` events, or at as many texts. Both others must outlive this object.
  TextSweep(Connection& connection, Dictionary& dictionary, std::int64_t rows);

  /// The site's texts are to be looked through. In the transaction that has removed events of it.
  void request(SiteId site);
  /// False when no site is asked for. True: something was done, and there may be more.
  bool slice();
  /// Forgets the pass, whose findings may come from the transaction that was rolled back.
  void rolled_back() { pass_.reset(); }

 private:
  static constexpr std::size_t kKinds = 15;  ///< One above the last StringKind.
  struct Pass {
    SiteId site = 0;
    EventId next = 1;
    std::array<std::vector<bool>, kKinds> used;  ///< By kind and number.
    int kind = 0;                                ///< The last text that was looked at.
    std::int64_t id = 0;
  };

  std::optional<SiteId> next_site();
  bool look_at_events(std::int64_t rows);
  bool remove_texts();
  void remove(int kind, std::int64_t id, std::uint64_t hash);

  Connection& connection_;
  Dictionary& dictionary_;
  const std::int64_t rows_;
  std::optional<Pass> pass_;
  Statement events_;
  Statement texts_;
  Statement remove_text_;
};

}  // namespace analytics::sqlite
