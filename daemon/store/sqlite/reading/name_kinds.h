#pragma once

#include <cstdint>
#include <vector>

#include "daemon/store/sqlite/tables/dictionary_reader.h"

namespace analytics::sqlite {

enum class NameKind : std::uint8_t { kUnknown, kPageview, kEngagement, kCustom };

/// Determines the kind of an event from the number of its name, which it looks up once, and checks
/// the other numbers of its row.
class NameKinds {
 public:
  /// How to read a damaged number, which no text can have: as an error, or as the empty text.
  enum class Damaged { kError, kEmpty };
  explicit NameKinds(DictionaryReader& texts, Damaged damaged = Damaged::kError)
      : texts_(texts), damaged_(damaged) {}
  /// Returns the kind of a name, never kUnknown. Throws SqliteError.
  [[nodiscard]] NameKind of(std::int64_t name);
  /// Returns the number if the column can have it. Otherwise returns 0 if Damaged::kEmpty, or
  /// throws SqliteError.
  [[nodiscard]] std::int64_t possible(query::Column column, std::int64_t number) {
    if (damaged_ == Damaged::kEmpty && !texts_.is_possible(column, number)) return 0;
    texts_.require(column, number);
    return number;
  }

 private:
  DictionaryReader& texts_;
  const Damaged damaged_;
  std::vector<NameKind> kinds_;  ///< Kind of each name by its number; kUnknown until it occurs.
};

}  // namespace analytics::sqlite
