#include <nlohmann/json.hpp>

#include "cli/commands/commands.h"
#include "cli/frame/paths.h"
#include "cli/frame/requests.h"
#include "cli/stats/stats_asking.h"
#include "common/text/text.h"
#include "common/wire/funnel.h"

namespace analytics::cli {
namespace {

using nlohmann::ordered_json;

/// Returns the steps for people: "page=/pricing > event=Signup".
std::string text_of(const ordered_json& steps) {
  std::string text;
  for (const auto& step : steps) {
    if (!step.is_object() || step.empty()) continue;
    text +=
        (text.empty() ? "" : " > ") + step.begin().key() + "=" + cell_of(step, step.begin().key());
  }
  return text;
}

/// Parses the steps of the command line. Failures: kUsage.
Outcome<std::vector<FunnelStep>> steps_of(const std::vector<std::string>& words) {
  std::vector<FunnelStep> steps;
  for (const auto& word : words) {
    auto step = parse_funnel_step(word);
    if (!step)
      return give_up(ExitCode::kUsage, "--step " + word + ": " + step.error().message, "usage");
    steps.push_back(std::move(*step));
  }
  if (const auto checked = check_funnel_steps(steps); !checked) {
    return give_up(ExitCode::kUsage, "funnels ensure requires 2 to 8 times --step", "usage");
  }
  return steps;
}

}  // namespace

Outcome<ExitCode> ensure_funnel(const FunnelOptions& options, Context& context) {
  const auto steps = TRY(steps_of(options.steps));
  const ApiClient::Request request{"PUT",
                                   kFunnelsPath,
                                   {{"site_id", options.site},
                                    {"name", options.name},
                                    {"steps", to_json(steps)},
                                    {"within", options.within}},
                                   true,
                                   true,
                                   {},
                                   {}};
  return run_change(
      request, {"name"},
      [](const ordered_json& funnel) { return "funnel " + funnel.value("name", ""); }, context);
}

Outcome<ExitCode> list_funnels(const FunnelOptions& options, Context& context) {
  auto funnels = TRY(read_pages(
      std::string(kFunnelsPath) + "?site_id=" + percent_encode(options.site), "funnels", context));
  if (context.settings.output != OutputForm::kJson) {
    for (auto& row : funnels["funnels"]) {
      if (row.contains("steps")) row["steps"] = text_of(row["steps"]);
    }
  }
  return print_list(funnels, "funnels", {"name", "within", "steps"}, context);
}

Outcome<ExitCode> show_funnel(const FunnelOptions& options, Context& context) {
  std::string path = "/api/v1/stats/funnel?site_id=" + percent_encode(options.site) +
                     "&name=" + percent_encode(options.name);
  for (const auto& [name, value] :
       {std::pair("period", options.period), std::pair("date", options.date),
        std::pair("filters", options.filters)}) {
    if (!value.empty()) path += std::string("&") + name + "=" + percent_encode(value);
  }
  const auto reply = TRY(context.api.call({"GET", path, {}, true, true, {}, {}}));
  const auto body = TRY(body_of(reply));
  if (!body.contains("steps") || !body["steps"].is_array()) return bad_answer();
  if (const auto warning = cell_of(body, "warning"); !warning.empty()) {
    context.err << "analytics: " << visible(warning) << '\n';
  }
  tell_caveats(body, context);
  return print_list(body, "steps", {"label", "visitors", "conversion_rate", "dropoff"}, context);
}

Outcome<ExitCode> delete_funnel(const FunnelOptions& options, Context& context) {
  return run_delete({"DELETE",
                     kFunnelsPath,
                     {{"site_id", options.site}, {"name", options.name}},
                     true,
                     true,
                     {},
                     {}},
                    options.if_exists, "the funnel " + options.name, context);
}

}  // namespace analytics::cli
