#include <ostream>

#include <nlohmann/json.hpp>

#include "cli/frame/api_client.h"
#include "cli/frame/output.h"
#include "cli/frame/requests.h"
#include "cli/replay/command/plan.h"
#include "cli/replay/command/replay_command.h"
#include "cli/replay/command/target.h"
#include "cli/replay/input/preview.h"
#include "cli/replay/send/batch_sender.h"
#include "common/text/text.h"

namespace analytics::cli {
namespace {

using nlohmann::ordered_json;

/// Counts of a source file's records, compared with the byte ranges that the server stores.
struct Comparison {
  std::string file;
  std::string import;
  std::set<std::string> asked;
  ByteRanges held;
  std::uint64_t events = 0;
  std::uint64_t stored = 0;
  std::uint64_t filtered = 0;
  std::uint64_t rejected = 0;
};

/// Counts a record of a source file, and counts it as stored if the server stores its bytes. First
/// asks the server for the stored ranges of sites that no earlier record has named.
Outcome<void> compare(const Record& record, const ReplayOptions& options, const ReplayPlan& plan,
                      Comparison& source, Context& context) {
  if (std::holds_alternative<Filtered>(record.content)) ++source.filtered;
  if (std::holds_alternative<Error>(record.content)) ++source.rejected;
  const auto* event = std::get_if<ReplayEvent>(&record.content);
  if (event == nullptr) return {};
  if (source.import.empty()) {
    source.file = record.origin->file;
    source.import = import_name(options.import_id, *record.source, plan.sites);
  }
  for (const auto& domain : event->payload.domains) {
    if (source.asked.size() >= kMaxAskedSites || !source.asked.insert(domain).second) continue;
    for (const auto site : split(domain, ',')) {
      const auto held = TRY(ask_held(source.import, *record.source, trim(site), context));
      if (held) source.held.add(*held);
    }
  }
  ++source.events;
  if (source.held.contains({record.offset, record.end})) ++source.stored;
  return {};
}

}  // namespace

Outcome<ExitCode> check_replay(const ReplayOptions& given, Context& context) {
  const auto options = TRY(with_files_of_folders(given));
  const auto plan = TRY(plan_replay(options, context));
  auto input = ReplayInput::open(plan.input);
  if (!input) return give_up(ExitCode::kSetup, input.error().message, "input");
  const bool is_told = context.settings.output == OutputForm::kText && !context.settings.quiet;
  if (is_told && !(*input)->format().empty()) {
    context.err << "format: " << visible((*input)->format() + " (" + (*input)->reason() + ")")
                << '\n';
  }
  std::uint64_t events = 0;
  (*input)->start({});
  std::map<std::string, Comparison> sources;
  auto& records = (*input)->records();
  while (!records.at_end()) {
    auto bundle = records.take(std::chrono::milliseconds(50));
    if (!bundle) continue;
    for (const auto& record : *bundle) {
      if (record.source == nullptr) continue;
      const auto* event = std::get_if<ReplayEvent>(&record.content);
      if (event != nullptr && ++events <= kShownEvents && is_told) {
        context.err << visible_json(to_json(event->payload)) << '\n';
      }
      TRY(compare(record, options, plan, sources[*record.source], context));
    }
    records.give_back(std::move(*bundle));
  }
  if ((*input)->error()) return give_up(ExitCode::kPartial, (*input)->error()->message, "input");
  ordered_json body = {{"sources", ordered_json::array()}};
  bool complete = true;
  for (const auto& [id, source] : sources) {
    complete = complete && source.stored == source.events;
    body["sources"].push_back({{"file", source.file},
                               {"import", source.import},
                               {"events", source.events},
                               {"held", source.stored},
                               {"missing", source.events - source.stored},
                               {"filtered", source.filtered},
                               {"rejected", source.rejected}});
  }
  body["complete"] = complete;
  print_list(body, "sources",
             {"file", "import", "events", "held", "missing", "filtered", "rejected"}, context);
  return complete ? ExitCode::kOk : ExitCode::kDifferent;
}

}  // namespace analytics::cli
