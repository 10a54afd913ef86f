#include "daemon/admin/backup_rotation.h"

#include <charconv>
#include <chrono>
#include <map>
#include <optional>

#include "common/text/text.h"

namespace analytics::admin {
namespace {

using std::chrono::days;

constexpr std::string_view kPrefix = "analytics-";
constexpr std::string_view kSuffix = ".db";
constexpr int kMax = 1'000;

std::optional<UnixSeconds> time_of(std::string_view name) {
  if (!name.starts_with(kPrefix) || !name.ends_with(kSuffix)) return std::nullopt;
  name.remove_prefix(kPrefix.size());
  name.remove_suffix(kSuffix.size());
  if (name.size() != std::string_view("20261123T031500Z").size()) return std::nullopt;
  std::string full(name);
  for (const std::size_t at : {13U, 11U}) full.insert(at, ":");
  for (const std::size_t at : {6U, 4U}) full.insert(at, "-");
  const auto time = parse_rfc3339(full);
  if (!time) return std::nullopt;
  return std::chrono::floor<std::chrono::seconds>(*time);
}

/// Adds to `kept` the newest backup of each of the last `count` periods that have one. `group_of`
/// maps a day to the number of its period: day, week or month.
template <typename GroupOf>
void keep(const std::map<UnixSeconds, std::string>& backups, int count, const GroupOf& group_of,
          std::set<std::string>& kept) {
  std::optional<int> last;
  for (auto at = backups.rbegin(); at != backups.rend(); ++at) {
    const int group = group_of(std::chrono::floor<days>(at->first));
    if (group == last) continue;
    if (count-- <= 0) return;
    last = group;
    kept.insert(at->second);
  }
}

int day_of(Days day) { return static_cast<int>(day.time_since_epoch().count()); }

/// Returns the number of the day's ISO week, counted from 1970. 1 January 1970 was a Thursday, and
/// ISO weeks begin on Mondays.
int week_of(Days day) { return (day_of(day) + 3) / 7; }

int month_of(Days day) {
  const std::chrono::year_month_day date(day);
  return static_cast<int>(date.year()) * 12 + static_cast<int>(unsigned{date.month()});
}

}  // namespace

Result<Rotation> parse_rotation(std::string_view text) {
  Rotation rotation;
  std::string seen;
  for (const auto part : split(text, ',')) {
    const auto unit = part.empty() ? '\0' : part.back();
    auto* count = unit == 'd'   ? &rotation.days
                  : unit == 'w' ? &rotation.weeks
                  : unit == 'm' ? &rotation.months
                                : nullptr;
    const auto* end = part.data() + part.size() - 1;
    const bool is_new = seen.find(unit) == std::string::npos;
    if (count == nullptr || !is_new || std::from_chars(part.data(), end, *count).ptr != end ||
        *count < 1 || *count > kMax) {
      return fail(
          ErrorCode::kInvalidParameter,
          "--rotate takes how many daily, weekly and monthly backups stay, such as 7d,4w,6m");
    }
    seen += unit;
  }
  return rotation;
}

std::string backup_name(UnixSeconds time) {
  return std::string(kPrefix) + format_compact(time) + std::string(kSuffix);
}

std::vector<std::string> outdated(const Rotation& rotation, const std::set<std::string>& names) {
  std::map<UnixSeconds, std::string> backups;
  for (const auto& name : names) {
    if (const auto time = time_of(name)) backups.emplace(*time, name);
  }
  std::set<std::string> kept;
  if (!backups.empty()) kept.insert(backups.rbegin()->second);
  keep(backups, rotation.days, day_of, kept);
  keep(backups, rotation.weeks, week_of, kept);
  keep(backups, rotation.months, month_of, kept);
  std::vector<std::string> gone;
  for (const auto& [time, name] : backups) {
    if (!kept.contains(name)) gone.push_back(name);
  }
  return gone;
}

}  // namespace analytics::admin
