#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>

#include <nlohmann/json.hpp>

#include "cli/frame/output.h"
#include "cli/frame/requests.h"
#include "cli/stats/stats_asking.h"
#include "cli/stats/stats_commands.h"
#include "cli/stats/stats_overview.h"
#include "common/text/grouped.h"
#include "common/text/text.h"
#include "common/text/time.h"

namespace analytics::cli {
namespace {

using nlohmann::ordered_json;

std::int64_t count_in(const ordered_json& row, const char* key) {
  const auto found = row.find(key);
  return found != row.end() && found->is_number() ? found->get<std::int64_t>() : 0;
}

/// Returns a line with a block per day; the block's height shows the day's number.
std::string sparkline(const ordered_json& days) {
  constexpr std::array<const char*, 8> kHeights = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  std::vector<std::int64_t> numbers;
  for (const auto& day : days) numbers.push_back(day.is_number() ? day.get<std::int64_t>() : 0);
  const auto most = numbers.empty() ? 0 : *std::max_element(numbers.begin(), numbers.end());
  if (most <= 0) return {};
  constexpr std::int64_t kHighest = kHeights.size() - 1;
  std::string line;
  for (const auto number : numbers) {
    line += kHeights[static_cast<std::size_t>(std::clamp(number, std::int64_t{0}, most) * kHighest /
                                              most)];
  }
  return line;
}

std::string change_of(const ordered_json& row) {
  const auto change = row.value("change_7d", ordered_json());
  if (!change.is_number()) return {};
  return (change.get<double>() > 0 ? "+" : "") + change.dump() + "%";
}

/// Returns the age of the last event: "never", "now", "5 minutes ago", "3 days ago".
std::string last_event_of(const ordered_json& row, UnixMillis now) {
  const auto time = parse_rfc3339(cell_of(row, "last_event_at"));
  return time ? time_ago(std::chrono::floor<std::chrono::seconds>(now - *time)) : "never";
}

/// Returns a row with the sums of all sites' rows.
ordered_json sum_of(const ordered_json& rows) {
  ordered_json sum = {{"domain", "Together"}, {"last_event_at", ""}};
  for (const char* key : {"current_visitors", "visitors_today", "visitors_7d", "visitors_7d_before",
                          "dropped_today"}) {
    std::int64_t all = 0;
    for (const auto& row : rows) all += count_in(row, key);
    sum[key] = all;
  }
  std::vector<std::int64_t> by_day;
  for (const auto& row : rows) {
    const auto days = row.value("visitors_by_day", ordered_json::array());
    by_day.resize(std::max(by_day.size(), days.size()));
    for (std::size_t i = 0; i < days.size(); ++i)
      by_day[i] += days[i].is_number() ? days[i].get<std::int64_t>() : 0;
    sum["last_event_at"] = std::max(cell_of(sum, "last_event_at"), cell_of(row, "last_event_at"));
  }
  sum["visitors_by_day"] = by_day;
  if (const auto before = count_in(sum, "visitors_7d_before"); before > 0) {
    const auto week = count_in(sum, "visitors_7d");
    sum["change_7d"] =
        std::llround(100.0 * static_cast<double>(week - before) / static_cast<double>(before));
  }
  return sum;
}

/// Formats the row of a site for people.
ordered_json shown(const ordered_json& row, UnixMillis now) {
  const auto count = [&](const char* key) { return grouped(count_in(row, key)); };
  return {{"site", cell_of(row, "domain")},
          {"now", count("current_visitors")},
          {"today", count("visitors_today")},
          {"7 days", count("visitors_7d")},
          {"change", change_of(row)},
          {"30 days", sparkline(row.value("visitors_by_day", ordered_json::array()))},
          {"last event", last_event_of(row, now)},
          {"not counted today", count("dropped_today")}};
}

/// Makes lines fit the terminal: removes the column "30 days" if there is no room for it, and cuts
/// names.
void fit_lines(ordered_json& rows, std::vector<std::string>& columns, std::size_t width) {
  constexpr std::size_t kRoomForDays = 120;
  constexpr std::size_t kShortest = 12;  // minimum width of a cut name, in columns
  constexpr std::size_t kGap = 2;
  if (width < kRoomForDays) std::erase(columns, "30 days");
  std::size_t taken = 0;
  std::size_t longest = 0;
  for (const auto& column : columns) {
    std::size_t most = count_columns(column);
    for (const auto& row : rows) most = std::max(most, count_columns(cell_of(row, column)));
    (column == "site" ? longest : taken) += column == "site" ? most : most + kGap;
  }
  const auto room = std::max(kShortest, width - std::min(width, taken));
  if (longest <= room) return;
  for (auto& row : rows) {
    const auto name = cell_of(row, "site");
    if (count_columns(name) > room) row["site"] = fit(name, room);
  }
}

}  // namespace

Outcome<ExitCode> show_all_sites(Context& context) {
  const auto all = TRY(read_pages("/api/v1/stats/sites", "sites", context));
  const auto& sites = all["sites"];
  for (const auto& site : sites) tell_caveats(site, context, cell_of(site, "domain") + ": ");
  if (context.settings.output != OutputForm::kText) {
    return print_list(all, "sites",
                      {"domain", "current_visitors", "visitors_today", "visitors_7d", "change_7d",
                       "last_event_at", "dropped_today"},
                      context);
  }
  ordered_json rows = ordered_json::array();
  for (const auto& row : sites) rows.push_back(shown(row, context.clock.now()));
  if (context.out_is_terminal && sites.size() > 1) {  // only people get a row with the sums
    rows.push_back(shown(sum_of(sites), context.clock.now()));
  }
  std::vector<std::string> columns = {"site",   "now",     "today",      "7 days",
                                      "change", "30 days", "last event", "not counted today"};
  if (context.out_is_terminal) fit_lines(rows, columns, terminal_columns(Stream::kOut));
  return print_list({{"sites", std::move(rows)}}, "sites", columns, context);
}

}  // namespace analytics::cli
