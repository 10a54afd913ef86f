#include "common/wire/caveats.h"

#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "common/text/grouped.h"
#include "common/text/local_time.h"
#include "common/text/text.h"

namespace analytics {
namespace {

using nlohmann::ordered_json;

std::optional<Days> day_in(const ordered_json& value) {
  return value.is_string() ? parse_day(value.get_ref<const std::string&>()) : std::nullopt;
}

/// Returns "2026-10-01" for a single day, else "2026-10-01 to 2026-10-31".
std::string text_of(const Period& period) {
  const auto first = format_day(period.first);
  return period.first == period.last ? first : first + " to " + format_day(period.last);
}

}  // namespace

void add_to(ordered_json& meta, const Caveats& caveats) {
  if (!caveats.partial_until.empty()) meta["partial_until"] = caveats.partial_until;
  if (caveats.removal_running) meta["removal_running"] = true;
  for (const auto& [day, events] : caveats.recognition_lost) {
    meta["recognition_lost"].push_back({{"day", format_day(day)}, {"events", events}});
  }
  if (caveats.sum_of_days) meta["sum_of_days"] = true;
  for (const auto& [first, last] : caveats.totals) {
    meta["totals"].push_back({format_day(first), format_day(last)});
  }
  if (caveats.cut > 0) meta["cut"] = caveats.cut;
  if (caveats.other > 0) meta["other"] = caveats.other;
  if (!caveats.up_to.empty()) meta["up_to"] = caveats.up_to;
  if (!caveats.behind.empty()) meta["behind"] = caveats.behind;
}

Caveats caveats_in(const ordered_json& meta) {
  Caveats caveats;
  if (!meta.is_object()) return caveats;
  const auto member = [&](const char* key) {
    const auto found = meta.find(key);
    return found == meta.end() ? ordered_json() : *found;
  };
  const auto text = [](const ordered_json& value) {
    return value.is_string() ? value.get<std::string>() : std::string();
  };
  caveats.partial_until = text(member("partial_until"));
  caveats.removal_running = member("removal_running") == true;
  for (const auto& lost : member("recognition_lost")) {
    if (!lost.is_object()) continue;
    const auto day = day_in(lost.value("day", ordered_json()));
    const auto events = lost.value("events", ordered_json());
    if (day && events.is_number_integer()) {
      caveats.recognition_lost.push_back({*day, events.get<std::int64_t>()});
    }
  }
  caveats.sum_of_days = member("sum_of_days") == true;
  for (const auto& days : member("totals")) {
    if (!days.is_array() || days.size() != 2) continue;
    const auto first = day_in(days[0]);
    const auto last = day_in(days[1]);
    if (first && last) caveats.totals.push_back({*first, *last});
  }
  if (const auto cut = member("cut"); cut.is_number_integer())
    caveats.cut = cut.get<std::int64_t>();
  if (const auto other = member("other"); other.is_number()) caveats.other = other.get<double>();
  caveats.up_to = text(member("up_to"));
  for (const auto& node : member("behind")) {
    if (node.is_string()) caveats.behind.push_back(node.get<std::string>());
  }
  return caveats;
}

std::vector<std::string> sentences(const Caveats& caveats) {
  std::vector<std::string> all;
  if (caveats.partial_until.size() >= 16) {
    auto time = caveats.partial_until.substr(0, 16);  // date and time, without seconds
    time[10] = ' ';
    all.push_back("The period is not over: its numbers are up to " + time + ".");
  }
  if (caveats.removal_running) {
    all.emplace_back("Events of this site are being removed: numbers may fall until that is done.");
  }
  for (const auto& [day, events] : caveats.recognition_lost) {
    all.push_back(fmt::format(
        "{} {} of {} came when its visitors could not be recognised any more: they count as new.",
        grouped(events), events == 1 ? "event" : "events", format_day(day)));
  }
  if (caveats.sum_of_days) {
    all.emplace_back("Visitors of several UTC days are the sum of each day's visitors.");
  }
  if (!caveats.totals.empty()) {
    std::vector<std::string> days;
    for (const auto& period : caveats.totals) days.push_back(text_of(period));
    all.push_back("Only daily totals are kept of " + join(days, ", ") + ".");
  }
  if (caveats.other > 0) {
    all.push_back(
        fmt::format("{} % of the visitors are in rows named {}.", caveats.other, kOtherText));
  }
  if (!caveats.behind.empty()) {
    all.emplace_back("Some of the newest events are not counted yet.");
  }
  return all;
}

}  // namespace analytics
