#include "daemon/cluster/reading/stored_columns.h"

#include <array>
#include <string>

#include "common/event/screen_class.h"
#include "daemon/cluster/reading/visit_table.h"
#include "daemon/model/channel.h"
#include "daemon/model/client.h"
#include "daemon/model/names/language.h"

namespace analytics::cluster {
namespace {

using query::Column;
using Type = NativeReader::Type;

template <typename Parts>
std::vector<AskedColumn> asked_of(const Parts& parts) {
  std::vector<AskedColumn> asked;
  asked.reserve(parts.size());
  for (const auto& part : parts) asked.push_back({std::string(part.name), Type::kString});
  return asked;
}

}  // namespace

std::vector<AskedColumn> event_numbers() {
  auto asked = VisitMoves::event_columns();
  asked.insert(asked.end(), {{"visitor", Type::kUInt64},
                             {"toUInt32(time)", Type::kUInt32},
                             {"millis", Type::kUInt16},
                             {"passive", Type::kUInt8},
                             {"engaged_ms", Type::kInt32},
                             {"scroll", Type::kInt16},
                             {"revenue_micros", Type::kInt64}});
  return asked;
}

const std::vector<StoredColumn>& arrival_columns() {
  static const auto kAll = [] {
    std::vector<StoredColumn> all;
    for (auto i = query::kFirstOfVisit; i < query::kOwnColumns.size(); ++i) {
      const auto& own = query::kOwnColumns[i];
      all.push_back({own.column, own.kind == query::ValueKind::kClient ? asked_of(kClientParts)
                                 : own.kind == query::ValueKind::kPlace
                                     ? asked_of(kPlaceParts)
                                     : std::vector<AskedColumn>{{own.name, Type::kString}}});
    }
    return all;
  }();
  return kAll;
}

std::uint32_t stored_number(const NativeReader& block, std::size_t row, Column column,
                            std::size_t& at, EventTexts& texts) {
  const auto text = [&] { return block.text(at++, row); };
  switch (column) {
    case Column::kChannel: return static_cast<std::uint32_t>(parse_channel(text()));
    case Column::kScreen:
      return static_cast<std::uint32_t>(parse_screen(text()).value_or(ScreenClass::kUnknown));
    case Column::kLanguage: return parse_language(text());
    case Column::kClient: {
      std::array<std::string_view, kClientParts.size()> parts;
      for (auto& part : parts) part = text();
      return texts.client_number(parts);
    }
    case Column::kPlace: {
      std::array<std::string_view, kPlaceParts.size()> parts;
      for (auto& part : parts) part = text();
      return texts.place_number(parts);
    }
    default: return static_cast<std::uint32_t>(texts.number(column, text()));
  }
}

}  // namespace analytics::cluster
