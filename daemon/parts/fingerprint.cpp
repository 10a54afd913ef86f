#include "daemon/parts/fingerprint.h"

#include "daemon/parts/part.h"
#include "daemon/query/part_rows.h"

namespace analytics::parts {
namespace {

using query::Column;

/// Mixes the bits of a value with splitmix64 (Steele, Lea and Flood, "Fast splittable pseudorandom
/// number generators", 2014). Sums of mixed values differ where sums of the plain values would not.
std::uint64_t mix(std::uint64_t value) {
  value += 0x9E3779B97F4A7C15u;
  value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9u;
  value = (value ^ (value >> 27)) * 0x94D049BB133111EBu;
  return value ^ (value >> 31);
}

}  // namespace

void Fingerprint::add(Column column, std::int64_t value) {
  sums_[index_of(column)] += mix(static_cast<std::uint64_t>(value));
}

void Fingerprint::add(const query::EventBatch& batch, const query::RowList& rows) {
  events_ += rows.size();
  for (const auto& [id, column, is_coded, is_by_visit] : kPartColumns) {
    if (column == Column::kVisitor) continue;
    const auto values = batch[column];
    for (const auto row : rows) add(column, values[row]);
  }
  for (const auto row : rows) add(Column::kVisit, batch[Column::kVisit][row] != 0 ? 1 : 0);
  for (const auto row : rows) {
    if (batch[Column::kCurrency][row] == 0) continue;
    add(Column::kCurrency, batch[Column::kCurrency][row]);
    add(Column::kRevenue, batch[Column::kRevenue][row]);
  }
}

void Fingerprint::add(query::EventPart& part) {
  events_ += part.events();
  const auto columns = part_columns();
  part.load(columns);
  const auto is_visit = part.by_visit(Column::kVisit);
  const auto from = part.range().from.time_since_epoch().count();
  query::PartRows block(part, part.range(), columns);
  while (block.next()) {
    for (const auto& [id, column, is_coded, is_by_visit] : kPartColumns) {
      if (column == Column::kVisitor) continue;
      const auto numbers = is_coded ? part.numbers(column) : std::span<const std::int64_t>();
      for (const auto value : block[column]) {
        add(column, column == Column::kTime ? from + value : is_coded ? numbers[value] : value);
      }
    }
    for (const auto visit : block[Column::kVisit]) add(Column::kVisit, is_visit[visit]);
  }
  for (const auto& revenue : part.revenues()) {
    add(Column::kCurrency, revenue.currency);
    add(Column::kRevenue, revenue.micros);
  }
}

void RawFingerprint::add(const query::RawEvent& event) {
  ++events_;
  std::uint64_t hash = 0;
  const auto fold = [&](std::int64_t value) {
    hash = mix(hash ^ static_cast<std::uint64_t>(value));
  };
  fold(event.order.first.time_since_epoch().count());
  fold(static_cast<std::int64_t>(event.role));
  fold((event.is_passive ? 1 : 0) + (event.is_named ? 2 : 0) + (event.visit != 0 ? 4 : 0));
  fold(event.import);
  fold(event[Column::kCurrency] == 0 ? 0 : event.micros);
  fold(event.engagement.millis.value_or(-1));
  fold(event.engagement.scroll_depth.value_or(-1));
  for (const auto number : event.own) fold(number);
  sum_ += hash;
}

}  // namespace analytics::parts
