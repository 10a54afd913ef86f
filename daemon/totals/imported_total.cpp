#include "daemon/totals/imported_total.h"

#include "common/json/json.h"
#include "common/text/personal_data.h"
#include "common/text/text.h"
#include "daemon/model/names/client_names.h"

namespace analytics::totals {
namespace {

// Maximum size of a value in bytes, as for the page of an event.
constexpr std::size_t kMaxValue = 2'000;
// Greatest sum that is accepted: 30,000 events a second for a year.
constexpr std::int64_t kMaxCounted = 1'000'000'000'000;
constexpr Days kFirstDay = std::chrono::sys_days(std::chrono::year(1995) / 1 / 1);

auto invalid(std::string_view field, std::string_view rule) {
  return fail(ErrorCode::kInvalidParameter, std::string(field) + " " + std::string(rule) + ".");
}

Status read_sum(const json::Member& member, DaySums& sums) {
  for (const auto& [name, sum] : kDaySumFields) {
    if (member.key != name) continue;
    const auto count =
        member.value.kind == json::Kind::kInteger ? parse_int(member.value.text) : std::nullopt;
    if (!count || *count < 0 || *count > kMaxCounted) {
      return invalid(name, "must be a whole number from 0 to 10^12");
    }
    sums.*sum = *count;
    return {};
  }
  return fail(ErrorCode::kInvalidParameter,
              json::quote(cut_utf8(member.key, 100)) + " is not a field of totals.");
}

Status read_dimension(std::string_view name, ImportedTotal& total) {
  if (name == kTotalDimension) {
    total.dimension = kTotalDimension;
    return {};
  }
  auto dimension = parse_dimension(name);
  if (dimension) total.redacted += redact(dimension->key);
  const auto stored = dimension ? stored_name(*dimension) : std::nullopt;
  if (!stored) return invalid("dimension", "must be total, or a dimension other than time");
  total.dimension = *stored;
  return {};
}

/// Redacts personal data in the value, depending on its dimension, and returns the number of
/// replacements. Keeps IPv4 addresses in hostnames, sources and versions, which may look like one.
std::size_t redact_value(ImportedTotal& total) {
  const auto dimension = parse_dimension(total.dimension);
  if (!dimension) return 0;
  switch (dimension->field) {
    case Field::kPage:
    case Field::kEntryPage:
    case Field::kExitPage:
    case Field::kReferrer: return redact_url(total.value);
    case Field::kHostname:
    case Field::kSource:
    case Field::kBrowserVersion:
    case Field::kOsVersion: return redact(total.value, IpAddresses::kKeepV4);
    default: return redact(total.value);
  }
}

/// Returns the value in the form in which events store it.
std::string stored_value(std::string value, const std::string& name) {
  const auto dimension = parse_dimension(name);
  if (!dimension) return value;
  if (dimension->field == Field::kBrowser) return meant_browser(value);
  if (dimension->field == Field::kOs) return meant_os(value);
  return reads_as_empty(dimension->field, value, true) ? std::string() : value;
}

}  // namespace

Result<ImportedTotal> parse_imported_total(std::string_view line, Days last) {
  const auto object = TRY(json::parse_object(line));
  ImportedTotal total;
  std::optional<Days> day;
  for (const auto& member : object.members) {
    const auto& [key, value] = member;
    const bool is_text = value.kind == json::Kind::kString;
    if (key == "day") {
      day = is_text ? parse_day(value.text) : std::nullopt;
      if (!day || *day < kFirstDay || *day > last) {
        return invalid(key, "must be a day such as 2026-11-24, since 1995 and not to come");
      }
    } else if (key == "dimension") {
      TRY(read_dimension(is_text ? value.text : "", total));
    } else if (key == "value") {
      if ((!is_text && value.kind != json::Kind::kNull) || value.text.size() > kMaxValue) {
        return invalid(key, "must be a text of up to " + std::to_string(kMaxValue) + " bytes");
      }
      total.value = value.text;
    } else {
      TRY(read_sum(member, total.sums));
    }
  }
  if (!day) return invalid("day", "is required");
  if (total.dimension.empty()) return invalid("dimension", "is required");
  if (total.dimension == kTotalDimension && !total.value.empty()) {
    return invalid("value", "must be empty for the dimension total");
  }
  total.day = *day;
  total.redacted += redact_value(total);
  total.value = stored_value(std::move(total.value), total.dimension);
  return total;
}

}  // namespace analytics::totals
