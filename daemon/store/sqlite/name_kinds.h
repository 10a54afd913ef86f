#pragma once

#include <cstdint>
#include <vector>

#include "daemon/store/sqlite/dictionary_reader.h"

namespace analytics::sqlite {

enum class NameKind : std::uint8_t { kUnknown, kPageview, kEngagement, kCustom };

/// Determines the kind of an event from the number of its name. Looks each number up once.
class NameKinds {
 public:
  explicit NameKinds(DictionaryReader& texts) : texts_(texts) {}
  /// Never kUnknown. Throws SqliteError.
  [[nodiscard]] NameKind of(std::int64_t name);

 private:
  DictionaryReader& texts_;
  std::vector<NameKind> kinds_;  ///< By number; kUnknown if it has not occurred.
};

}  // namespace analytics::sqlite
