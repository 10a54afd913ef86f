#include "daemon/store/sqlite/reading/name_kinds.h"

#include "common/event/event_payload.h"

namespace analytics::sqlite {

NameKind NameKinds::of(std::int64_t name) {
  const auto index = static_cast<std::size_t>(possible(query::Column::kName, name));
  if (index >= kinds_.size()) kinds_.resize(index + 1);
  auto& kind = kinds_[index];
  if (kind == NameKind::kUnknown) {
    const auto text = texts_.text(query::Column::kName, name);
    kind = text == kPageview     ? NameKind::kPageview
           : text == kEngagement ? NameKind::kEngagement
                                 : NameKind::kCustom;
  }
  return kind;
}

}  // namespace analytics::sqlite
