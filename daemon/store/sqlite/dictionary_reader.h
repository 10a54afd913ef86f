#pragma once

#include <string>

#include "daemon/model/site.h"
#include "daemon/query/budget.h"
#include "daemon/query/event_batch.h"
#include "daemon/store/sqlite/sqlite.h"

namespace analytics::sqlite {

/// Looks up the texts of one site by their numbers. Throws SqliteError, and query::LimitReached
/// when the query's time is over.
class DictionaryReader final : public query::Texts {
 public:
  /// The arguments must outlive the object.
  DictionaryReader(Connection& connection, SiteId site, const query::Budget& budget);
  [[nodiscard]] std::string text(query::Column column, std::int64_t number) override;
  [[nodiscard]] Client client(std::int64_t number) override;
  [[nodiscard]] Place place(std::int64_t number) override;

 private:
  const SiteId site_;
  const query::Budget& budget_;
  Statement text_;
  Statement client_;
  Statement place_;
};

}  // namespace analytics::sqlite
