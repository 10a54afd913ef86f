#include <ostream>

#include <nlohmann/json.hpp>

#include "cli/commands/commands.h"
#include "cli/frame/requests.h"
#include "common/text/text.h"

namespace analytics::cli {

Outcome<ExitCode> show_alerts(const AlertsOptions& options, Context& context) {
  if (options.site.empty() != options.all) {
    return give_up(ExitCode::kUsage, "either --site DOMAIN or --all is required", "usage");
  }
  Parameters parameters;
  if (!options.site.empty()) parameters.emplace_back("site_id", options.site);
  if (options.silent_hours != 0) {
    parameters.emplace_back("silent_hours", std::to_string(options.silent_hours));
  }
  const auto alerts =
      TRY(read_pages("/api/v1/stats/alerts?" + encode_form(parameters), "alerts", context));
  const auto& rows = alerts.at("alerts");
  if (context.settings.output == OutputForm::kText) {
    for (const auto& row : rows) context.out << visible(cell_of(row, "text")) << '\n';
  } else {
    (void)print_list(alerts, "alerts", {"site", "kind", "since", "visitors", "usual", "text"},
                     context);
  }
  return rows.empty() ? ExitCode::kOk : ExitCode::kDifferent;
}

}  // namespace analytics::cli
