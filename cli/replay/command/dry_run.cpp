#include "cli/replay/command/dry_run.h"

#include <algorithm>
#include <cmath>
#include <ostream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/frame/output.h"
#include "cli/replay/input/preview.h"
#include "common/text/text.h"

namespace analytics::cli {
namespace {

constexpr double kUsualRate = 50'000;  // events per second, assumed for the time estimate

struct Counts {
  std::uint64_t events = 0;
  std::uint64_t filtered = 0;
  std::uint64_t refused = 0;
  std::uint64_t withheld = 0;
};

void print_json(const Counts& counts, const Preview& preview, double seconds, Context& context) {
  nlohmann::ordered_json summary = {
      {"outcome", "dry_run"},        {"read", counts.events + counts.filtered + counts.refused},
      {"events", counts.events},     {"rejected", counts.refused},
      {"filtered", counts.filtered}, {"withheld", counts.withheld}};
  for (const auto& [title, names] : preview.counts()) summary[std::string(title) + "s"] = names;
  summary["estimated_seconds"] = seconds;
  context.out << json_line(summary) << '\n';
}

void print_text(const Counts& counts, const Preview& preview, double seconds, Context& context) {
  for (const auto& [title, names] : preview.counts()) {
    for (const auto& [name, count] : names) {
      context.out << title << ' ' << visible(name) << ": " << count << '\n';
    }
  }
  if (counts.withheld > 0) {
    context.out << "values redacted or left out because they may name a person: " << counts.withheld
                << '\n';
  }
  context.out << fmt::format("would send {} events, in about {:.0f} s; {} filtered, {} rejected\n",
                             counts.events, seconds, counts.filtered, counts.refused);
}

}  // namespace

Outcome<ExitCode> dry_run(ReplayInput& input, SignalWatch& signals, double rate, Context& context,
                          const std::function<void(const Record&, const Error&)>& refuse) {
  const bool is_text = context.settings.output == OutputForm::kText;
  Counts counts;
  Preview preview;
  input.start({});
  while (!input.records().at_end()) {
    if (const int signal = signals.received(); signal != 0) {
      return give_up(static_cast<ExitCode>(128 + signal), "stopped", "interrupted");
    }
    auto bundle = input.records().take(std::chrono::milliseconds(50));
    if (!bundle) continue;
    for (const auto& record : *bundle) {
      if (const auto* event = std::get_if<ReplayEvent>(&record.content)) {
        preview.count(record, *event);
        counts.withheld += event->payload.withheld;
        if (++counts.events <= kShownEvents && is_text) {
          context.out << visible_json(to_json(event->payload)) << '\n';
        }
      } else if (std::holds_alternative<Filtered>(record.content)) {
        ++counts.filtered;
      } else if (const auto* error = std::get_if<Error>(&record.content)) {
        ++counts.refused;
        refuse(record, *error);
      }
    }
    input.records().give_back(std::move(*bundle));
  }
  if (input.error()) return give_up(ExitCode::kPartial, input.error()->message, "input");
  const auto seconds = std::ceil(static_cast<double>(counts.events) /
                                 (rate > 0 ? std::min(rate, kUsualRate) : kUsualRate));
  const bool is_json = context.settings.output == OutputForm::kJson;
  (is_json ? print_json : print_text)(counts, preview, seconds, context);
  return counts.refused > 0 ? ExitCode::kPartial : ExitCode::kOk;
}

}  // namespace analytics::cli
