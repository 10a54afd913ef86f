// Shows a site's last half hour on a terminal.
#include <algorithm>
#include <ostream>
#include <sstream>

#include <nlohmann/json.hpp>

#include "cli/frame/api_client.h"
#include "cli/frame/output.h"
#include "cli/frame/requests.h"
#include "cli/frame/signals.h"
#include "cli/stats/stats_answer.h"
#include "cli/stats/stats_commands.h"
#include "cli/stats/stats_report.h"
#include "common/text/grouped.h"
#include "common/text/text.h"

namespace analytics::cli {
namespace {

using nlohmann::ordered_json;

constexpr int kRows = 8;
constexpr std::chrono::minutes kSpan{30};
constexpr std::chrono::milliseconds kLookForSignals{100};

constexpr Section kNow[] = {{"Pages", "page", "event:page"},
                            {"Sources", "source", "visit:source"},
                            {"Countries", "country", "visit:country_name"},
                            {"Devices", "device", "visit:device"}};

/// Returns an overview of the site's last half hour. Fails with the server's error.
Outcome<Overview> read_now(const std::string& site, Context& context) {
  const auto current =
      TRY(context.api.call({"GET",
                            "/api/v1/stats/realtime/visitors?site_id=" + percent_encode(site),
                            {},
                            true,
                            true,
                            {},
                            {}}));
  const auto visitors = parse_int(trim(current.body));
  if (!visitors) return bad_answer();
  const auto end =
      std::chrono::floor<std::chrono::minutes>(context.clock.now()) + std::chrono::minutes(1);
  const Asking asking({{"site_id", site},
                       {"date_range", {format_rfc3339(end - kSpan), format_rfc3339(end)}},
                       {"filters", ordered_json::array()}},
                      false, context);
  const std::vector<std::string> counted{"visitors"};
  const auto minutes = TRY(asking.ask({{"metrics", counted},
                                       {"dimensions", {"time:minute"}},
                                       {"include", {{"time_labels", true}}}}));
  Overview now;
  now.title = site + ": " + grouped(*visitors) + (*visitors == 1 ? " visitor" : " visitors") +
              " in the last five minutes";
  now.series = "Visitors by minute, last half hour";
  for (const auto& row : series_of(minutes, counted)) {
    constexpr std::size_t kTime = 11;  // position of the time in a label, after the date
    const auto label = row.value("date", "");
    now.buckets.push_back(
        {label.size() > kTime ? label.substr(kTime, 5) : label, number_in(row, "visitors")});
  }
  for (const auto& section : kNow) {
    const auto rows = TRY(asking.ask({{"metrics", counted},
                                      {"dimensions", {section.property}},
                                      {"pagination", {{"limit", kRows}}}}));
    Overview::Panel panel{section.title, {"Visitors"}, {}};
    for (const auto& row : rows_of(rows, {section.key}, counted)) {
      const auto count = static_cast<std::int64_t>(number_in(row, "visitors"));
      panel.rows.push_back({row.value(section.key, ""), {grouped(count)}});
    }
    now.panels.push_back(std::move(panel));
  }
  return now;
}

/// Waits for `time`. Returns false if a signal ends the wait.
bool pause(std::chrono::milliseconds time, const SignalWatch& signals, const Clock& clock) {
  const auto end = clock.steady() + time;
  while (clock.steady() < end && signals.received() == 0) clock.sleep(kLookForSignals);
  return signals.received() == 0;
}

/// Draws the overview repeatedly, or once. Fails with the server's error.
Outcome<ExitCode> draw(const WatchOptions& options, std::chrono::milliseconds every, bool is_once,
                       const SignalWatch& signals, Context& context) {
  const bool colour =
      context.out_is_terminal && (!context.settings.no_color || context.settings.force_color);
  while (true) {
    const auto now = read_now(options.site, context);
    if (signals.received() != 0) return static_cast<ExitCode>(128 + signals.received());
    if (!now) return tl::unexpected(now.error());
    std::ostringstream drawn;  // printed in one piece to avoid flicker
    if (!is_once) drawn << "\033[H\033[2J";
    draw_overview(drawn, *now, terminal_columns(Stream::kOut), colour);
    if (!is_once) drawn << "\nevery " << options.every << "; Ctrl-C ends\n";
    context.out << drawn.str() << std::flush;
    if (is_once) return ExitCode::kOk;
    if (!pause(every, signals, context.clock)) {
      return static_cast<ExitCode>(128 + signals.received());
    }
  }
}

}  // namespace

Outcome<ExitCode> watch_site(const WatchOptions& options, Context& context) {
  const auto every = parse_duration(options.every);
  if (!every || *every < std::chrono::seconds(1)) {
    return give_up(ExitCode::kUsage, "--every takes a second or more, such as 5s", "usage");
  }
  if (context.settings.output != OutputForm::kText) {
    return give_up(ExitCode::kUsage, "watch draws text; analytics stats has other forms", "usage");
  }
  const bool is_once = options.once || !context.out_is_terminal;
  const SignalWatch signals;
  context.api.stop_when([&signals] { return signals.received(); });
  Outcome<ExitCode> ended = ExitCode::kOk;
  try {
    ended = draw(options, *every, is_once, signals, context);
  } catch (const nlohmann::json::exception&) {  // the answer has an unexpected form
    ended = bad_answer();
  }
  context.api.stop_when({});
  return ended;
}

}  // namespace analytics::cli
