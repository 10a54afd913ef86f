#pragma once

#include <string>

#include "daemon/model/client.h"
#include "daemon/model/site.h"
#include "daemon/store/sqlite/budget.h"
#include "daemon/store/sqlite/schema.h"
#include "daemon/store/sqlite/sqlite.h"

namespace analytics::sqlite {

/// Texts of a site by their numbers, for a reader. Throws SqliteError.
class DictionaryReader {
 public:
  /// `budget` outlives it, and is looked at for each text.
  DictionaryReader(Connection& connection, SiteId site, Budget& budget);
  /// Empty for 0, and for a number that nothing has.
  [[nodiscard]] std::string text(StringKind kind, std::int64_t number);
  [[nodiscard]] Client client(std::int64_t number);
  [[nodiscard]] Place place(std::int64_t number);
  [[nodiscard]] Budget& budget() { return budget_; }

 private:
  const SiteId site_;
  Budget& budget_;
  Statement text_;
  Statement client_;
  Statement place_;
};

}  // namespace analytics::sqlite
