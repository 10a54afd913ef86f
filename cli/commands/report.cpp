// Reports for mail.
#include <ostream>

#include <nlohmann/json.hpp>

#include "cli/commands/commands.h"
#include "cli/commands/provisioning.h"
#include "cli/commands/report_html.h"
#include "cli/commands/stats_query.h"
#include "cli/commands/stats_report.h"
#include "cli/frame/output.h"

namespace analytics::cli {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t kMailColumns = 76;  // lines of mail that no program breaks

/// Returns the sites that the report is about. Failures: kUsage; the server's.
Outcome<std::vector<std::string>> sites_of(const ReportOptions& options, Context& context) {
  if (options.site.empty() != options.all) {
    return give_up(ExitCode::kUsage, "either --site DOMAIN or --all is required", "usage");
  }
  if (!options.all) return std::vector<std::string>{options.site};
  const auto listed = read_pages("/api/v1/sites", "sites", context);
  if (!listed) return tl::unexpected(listed.error());
  std::vector<std::string> sites;
  for (const auto& row : (*listed)["sites"]) sites.push_back(cell_of(row, "domain"));
  return sites;
}

/// Returns the numbers of each site, compared with the period before.
Outcome<std::vector<ordered_json>> read_all(const ReportOptions& options, Context& context) {
  const auto sites = sites_of(options, context);
  if (!sites) return tl::unexpected(sites.error());
  StatsOptions period;
  period.period = options.period;
  const auto range = date_range_of(period);
  if (!range) return tl::unexpected(range.error());
  std::vector<ordered_json> all;
  for (const auto& site : *sites) {
    const Asking asking(
        {{"site_id", site}, {"date_range", *range}, {"filters", ordered_json::array()}}, false,
        context);
    auto overview = read_overview(site, asking, {{"mode", "previous_period"}});
    if (!overview) return tl::unexpected(overview.error());
    all.push_back(std::move(*overview));
  }
  return all;
}

void print_report(const std::vector<ordered_json>& all, Context& context) {
  if (context.settings.output == OutputForm::kJson) {
    context.out << ordered_json{{"sites", all}}.dump(2, ' ', false,
                                                     ordered_json::error_handler_t::replace)
                << '\n';
    return;
  }
  std::vector<Overview> sites;
  sites.reserve(all.size());
  for (const auto& site : all) sites.push_back(overview_of(site));
  if (context.settings.output == OutputForm::kHtml) {
    context.out << html_report(sites);
    return;
  }
  for (const auto& site : sites) {
    if (&site != &sites.front()) context.out << '\n';
    draw_overview(context.out, site, kMailColumns, false);
  }
}

}  // namespace

Outcome<ExitCode> show_report(const ReportOptions& options, Context& context) {
  if (context.settings.output == OutputForm::kCsv) {
    return give_up(ExitCode::kUsage, "a report is text, html or json", "usage");
  }
  try {
    const auto all = read_all(options, context);
    if (!all) return tl::unexpected(all.error());
    print_report(*all, context);
  } catch (const nlohmann::json::exception&) {  // a server that answers in another form
    return bad_answer();
  }
  return ExitCode::kOk;
}

}  // namespace analytics::cli
