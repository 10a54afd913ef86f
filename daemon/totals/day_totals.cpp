#include "daemon/totals/day_totals.h"

#include <algorithm>
#include <array>

#include "daemon/parts/bytes.h"
#include "daemon/parts/coded.h"

namespace analytics::totals {
namespace {

constexpr std::uint64_t kFormat = 1;
constexpr std::uint32_t kMaxValues = 1u << 24;

/// Packs the sum `sum` of each value of the day, but only 32 bits of each, from bit `shift` on.
std::string pack_bits(std::span<const ValueSums> day, std::int64_t DaySums::*sum, unsigned shift) {
  std::vector<std::uint32_t> numbers;
  numbers.reserve(day.size());
  for (const auto& each : day) {
    const auto value = static_cast<std::uint64_t>(each.sums.*sum);
    numbers.push_back(static_cast<std::uint32_t>(value >> shift));
  }
  return parts::pack(numbers);
}

/// Returns true if any sum of any value is negative or needs more than 32 bits.
bool is_wide(std::span<const ValueSums> day) {
  return std::any_of(day.begin(), day.end(), [](const ValueSums& each) {
    return std::any_of(kDaySumFields.begin(), kDaySumFields.end(), [&](const auto& field) {
      const auto sum = each.sums.*field.sum;
      return sum < 0 || sum > UINT32_MAX;
    });
  });
}

}  // namespace

DaySums day_sums(const Sums& sums) {
  return {sums.visitors,
          sums.visits,
          sums.pageviews,
          sums.events,
          sums.facts[VisitFact::kBounce],
          sums.facts[VisitFact::kSeconds]};
}

void add(Sums& sums, const DaySums& more) {
  auto all = day_sums(sums);
  all += more;
  for (const auto& field : kDaySumFields) {
    all.*field.sum = std::max<std::int64_t>(all.*field.sum, 0);
  }
  sums.visitors = all.visitors;
  sums.visits = all.visits;
  sums.pageviews = all.pageviews;
  sums.events = all.events;
  sums.facts[VisitFact::kBounce] = all.bounces;
  sums.facts[VisitFact::kSeconds] = all.seconds;
}

std::optional<std::string> stored_name(const Dimension& dimension) {
  if (is_time(dimension.field)) return std::nullopt;
  if (dimension.field == Field::kPropKey) return "event:props";
  if (dimension.field == Field::kCityName) return dimension_name({Field::kCity, {}});
  return dimension_name(dimension);
}

std::string to_bytes(std::span<const ValueSums> day) {
  parts::ByteWriter writer;
  writer.number(kFormat);
  writer.number(day.size());
  std::vector<std::uint32_t> values;
  values.reserve(day.size());
  for (const auto& each : day) values.push_back(each.value);
  writer.bytes(parts::pack_places(std::move(values)));
  const bool wide = is_wide(day);
  writer.number(wide ? 1 : 0);
  for (const auto& [name, sum] : kDaySumFields) {
    writer.bytes(pack_bits(day, sum, 0));
    if (wide) writer.bytes(pack_bits(day, sum, 32));
  }
  return writer.take();
}

std::vector<ValueSums> from_bytes(std::string_view bytes, bool are_overlaps) {
  parts::ByteReader reader(bytes);
  if (reader.number() != kFormat) throw parts::Damaged("totals have an unknown format");
  const auto size = reader.small_number();
  if (size > kMaxValues) throw parts::Damaged("a day has too many totals");
  const auto values = parts::read_places(reader.bytes(), size, UINT32_MAX);
  const bool wide = reader.number() != 0;
  std::vector<ValueSums> day(size);
  for (std::size_t i = 0; i < size; ++i) day[i].value = values[i];
  const auto read = [&](std::int64_t DaySums::*sum, unsigned shift) {
    const auto numbers = parts::unpack(parts::Packed(reader.bytes(), size));
    // only the high half of a sum contains the sign
    const bool is_refused = shift > 0 && !are_overlaps;
    for (std::size_t i = 0; i < size; ++i) {
      if (is_refused && numbers[i] > INT32_MAX) throw parts::Damaged("a total is too large");
      day[i].sums.*sum |= static_cast<std::int64_t>(std::uint64_t{numbers[i]} << shift);
    }
  };
  for (const auto& [name, sum] : kDaySumFields) {
    read(sum, 0);
    if (wide) read(sum, 32);
  }
  reader.end();
  return day;
}

}  // namespace analytics::totals
