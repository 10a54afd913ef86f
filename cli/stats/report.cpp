// Prints reports for mail.
#include <ostream>

#include <nlohmann/json.hpp>

#include "cli/frame/output.h"
#include "cli/frame/paths.h"
#include "cli/frame/requests.h"
#include "cli/stats/report_html.h"
#include "cli/stats/stats_commands.h"
#include "cli/stats/stats_query.h"
#include "cli/stats/stats_report.h"
#include "common/text/url.h"

namespace analytics::cli {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t kMailColumns = 76;  // longest line that mail programs do not wrap

/// Returns the sites that the report is about. Fails with kUsage or the server's error.
Outcome<std::vector<std::string>> sites_of(const ReportOptions& options, Context& context) {
  if (options.site.empty() != options.all) {
    return give_up(ExitCode::kUsage, "either --site DOMAIN or --all is required", "usage");
  }
  if (!options.all) return std::vector<std::string>{options.site};
  const auto listed = TRY(read_pages(kSitesPath, "sites", context));
  std::vector<std::string> sites;
  for (const auto& row : listed["sites"]) sites.push_back(cell_of(row, "domain"));
  return sites;
}

/// Returns the URL of the shared link that the options name, either a site's or the account's;
/// empty if they name no link. Fails with kNotFound or the server's error.
Outcome<std::string> shared_url(const ReportOptions& options, Context& context) {
  if (options.link.empty()) return std::string();
  const auto links = TRY(fetch_links(options.all ? "" : options.site, context));
  for (const auto& link : links["shared_links"]) {
    if (cell_of(link, "name") == options.link) return cell_of(link, "url");
  }
  const auto whose = options.all ? std::string("--all-sites") : "--site " + options.site;
  return give_up(
      ExitCode::kNotFound,
      "there is no shared link of that name; 'analytics links ensure " + whose + " NAME' makes one",
      "link_not_found");
}

/// Returns the URL of a site's page, given the URL of a shared link; adds the site to a link that
/// opens all sites.
std::string url_of_site(std::string url, const std::string& site) {
  constexpr std::string_view kAll = "/share/@all?";
  const auto at = url.rfind(kAll);
  if (at != url.npos) url.replace(at, kAll.size(), "/share/" + percent_encode(site) + "?");
  return url;
}

/// Reads the overview of each site, compared with the previous period.
Outcome<std::vector<ordered_json>> read_all(const ReportOptions& options, Context& context) {
  const auto sites = TRY(sites_of(options, context));
  StatsOptions period;
  period.period = options.period;
  const auto range = TRY(date_range_of(period));
  const auto comparison = TRY(comparison_of("previous"));
  const auto url = TRY(shared_url(options, context));
  std::vector<ordered_json> all;
  for (const auto& site : sites) {
    const Asking asking(
        {{"site_id", site}, {"date_range", range}, {"filters", ordered_json::array()}}, false,
        context);
    auto overview = TRY(read_overview(site, asking, comparison));
    if (!url.empty()) overview["url"] = url_of_site(url, site);
    all.push_back(std::move(overview));
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
    const auto all = TRY(read_all(options, context));
    print_report(all, context);
  } catch (const nlohmann::json::exception&) {  // the answer has an unexpected form
    return bad_answer();
  }
  return ExitCode::kOk;
}

}  // namespace analytics::cli
