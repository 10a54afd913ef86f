#include "cli/replay/command/summary.h"

#include <algorithm>
#include <ostream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/frame/output.h"
#include "common/text/text.h"

namespace analytics::cli {
namespace {

using nlohmann::ordered_json;

ordered_json counters(const Accounts& accounts) {
  return {{"read", accounts.read},
          {"accepted", accounts.accepted},
          {"duplicate", accounts.duplicate},
          {"dropped", accounts.dropped},
          {"dropped_by", accounts.dropped_by},
          {"rejected", accounts.rejected},
          {"filtered", accounts.filtered},
          {"withheld", accounts.withheld},
          {"pending", accounts.pending}};
}

ordered_json text_or_null(const std::string& text) {
  return text.empty() ? ordered_json(nullptr) : ordered_json(text);
}

/// Returns how many records per second got their outcome in this run.
double rate_of(const ReplaySummary& summary) {
  return static_cast<double>(summary.this_run.read - summary.this_run.pending) /
         std::max(summary.time.count(), 1e-9);
}

std::string counters_text(const Accounts& accounts) {
  return fmt::format(
      "read {}: accepted {}, duplicate {}, dropped {}, rejected {}, filtered {}, pending {}",
      accounts.read, accounts.accepted, accounts.duplicate, accounts.dropped, accounts.rejected,
      accounts.filtered, accounts.pending);
}

Caveats late_events_of(const ReplaySummary& summary) {
  Caveats caveats;
  caveats.recognition_lost = summary.late_days;
  return caveats;
}

void print_text(const ReplaySummary& summary, std::ostream& out) {
  const auto& run = summary.this_run;
  out << counters_text(summary.all) << '\n';
  for (const auto& [reason, count] : summary.all.dropped_by) {
    out << "dropped as " << visible(reason) << ": " << count << '\n';
  }
  if (summary.all.dropped_by.contains("unknown_site")) {
    out << "once the site exists, run the same command to send its records\n";
  }
  if (summary.all.withheld > 0) {
    out << "values redacted or left out because they may name a person: " << summary.all.withheld
        << " (see analytics-privacy(7))\n";
  }
  if (run.read != summary.all.read) out << "in this run " << counters_text(run) << '\n';
  out << fmt::format("{:.1f} s, {:.0f}/s, {} attempts, {} retries\n", summary.time.count(),
                     rate_of(summary), run.attempts, run.retries);
  if (summary.imports.size() == 1 && summary.all.accepted > 0) {
    out << "import " << visible(summary.imports.front())
        << " (undo with 'analytics imports undo')\n";
  }
  for (const auto& sentence : sentences(late_events_of(summary))) out << sentence << '\n';
  if (summary.complete) return;
  out << "not finished";
  if (!summary.resume.empty()) out << "; to continue:\n  " << visible(summary.resume);
  out << '\n';
}

}  // namespace

void print_summary(const ReplaySummary& summary, Context& context) {
  if (context.settings.output != OutputForm::kJson) {
    const bool is_silent = context.settings.quiet && summary.exit == ExitCode::kOk;
    if (!is_silent) print_text(summary, context.out);
    return;
  }
  const bool is_one = summary.imports.size() == 1;
  ordered_json object = {{"import", is_one ? ordered_json(summary.imports.front()) : nullptr},
                         {"imports", summary.imports},
                         {"sources", summary.files}};
  const auto all = counters(summary.all);
  for (const auto& [name, value] : all.items()) object[name] = value;
  object["this_run"] = counters(summary.this_run);
  auto meta = ordered_json{{"recognition_lost", ordered_json::array()}};
  add_to(meta, late_events_of(summary));
  object.update(meta);
  object["attempts"] = summary.this_run.attempts;
  object["retries"] = summary.this_run.retries;
  object["seconds"] = summary.time.count();
  object["rate"] = rate_of(summary);
  object["latency_ms"] = {{"p50", summary.latencies.quantile(0.5)},
                          {"p90", summary.latencies.quantile(0.9)},
                          {"p99", summary.latencies.quantile(0.99)},
                          {"max", summary.latencies.max()}};
  object["checkpoint"] = text_or_null(summary.checkpoint);
  object["rejects"] = text_or_null(summary.rejects);
  object["complete"] = summary.complete;
  object["resume"] = text_or_null(summary.resume);
  object["exit"] = static_cast<int>(summary.exit);
  context.out << json_line(object) << '\n';
}

}  // namespace analytics::cli
