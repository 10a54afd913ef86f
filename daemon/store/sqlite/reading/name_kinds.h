#pragma once

#include <cstdint>
#include <vector>

#include "daemon/store/sqlite/tables/dictionary_reader.h"

namespace analytics::sqlite {

/// The kind of event that an event name stands for.
enum class NameKind : std::uint8_t { kUnknown, kPageview, kEngagement, kCustom };

/// Determines the kinds of events from the ids of their names, and checks the other text ids of
/// their rows. Looks up each name once.
class NameKinds {
 public:
  /// Defines how a damaged id, which no text has, is read: as an error, or as the empty text.
  enum class Damaged { kError, kEmpty };
  explicit NameKinds(DictionaryReader& texts, Damaged damaged = Damaged::kError)
      : texts_(texts), damaged_(damaged) {}
  /// Returns the kind of the event name with this id, never kUnknown. Throws SqliteError.
  [[nodiscard]] NameKind of(std::int64_t name);
  /// Returns the id `number` if the column can have it. Otherwise, depending on Damaged, returns 0
  /// or throws SqliteError.
  [[nodiscard]] std::int64_t possible(query::Column column, std::int64_t number) {
    if (damaged_ == Damaged::kEmpty && !texts_.is_possible(column, number)) return 0;
    texts_.require(column, number);
    return number;
  }

 private:
  DictionaryReader& texts_;
  const Damaged damaged_;
  /// Kind of each event name by its id; kUnknown until it is first used.
  std::vector<NameKind> kinds_;
};

}  // namespace analytics::sqlite
