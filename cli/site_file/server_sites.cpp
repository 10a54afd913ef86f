#include "cli/site_file/server_sites.h"

#include <nlohmann/json.hpp>

#include "cli/frame/paths.h"
#include "cli/frame/requests.h"
#include "common/text/text.h"

namespace analytics::cli {
namespace {

using nlohmann::ordered_json;

/// Returns the secret in a shared link's URL.
std::string token_of(const std::string& url) {
  constexpr std::string_view kParameter = "?auth=";
  const auto at = url.rfind(kParameter);
  return at == std::string::npos ? "" : url.substr(at + kParameter.size());
}

GoalSpec goal_of(const ordered_json& row) {
  const bool is_page = cell_of(row, "goal_type") == goal_type_name(GoalType::kPage);
  GoalSpec goal{is_page ? GoalType::kPage : GoalType::kEvent,
                cell_of(row, is_page ? "page_path" : "event_name"), std::nullopt,
                cell_of(row, "id")};
  const auto shown = cell_of(row, "display_name");
  if (!shown.empty() && shown != default_goal_name(goal.type, goal.value))
    goal.display_name = shown;
  return goal;
}

/// Adds the funnel, unless it has values of a newer server that this program does not know.
void add_funnel(const ordered_json& row, SiteSpec& site) {
  const auto within = parse_funnel_within(cell_of(row, "within"));
  const auto steps = parse_funnel_steps(row.contains("steps") ? row["steps"].dump() : "");
  if (within && steps) site.funnels.push_back({cell_of(row, "name"), *within, *steps});
}

LinkSpec link_of(const ordered_json& row) {
  LinkSpec link{cell_of(row, "name"), token_of(cell_of(row, "url"))};
  for (const auto& term : kLinkTerms) {
    if (!row.contains(term.name)) continue;
    if (auto value = term.normalise(cell_of(row, term.name))) link.*term.value = std::move(*value);
  }
  link.has_password = row.contains("has_password");
  return link;
}

/// Calls `take` with each row of a list.
template <typename Take>
Outcome<void> each_row(const std::string& path, const char* key, Context& context,
                       const Take& take) {
  const auto rows = TRY(read_pages(path, key, context));
  for (const auto& row : rows.at(key)) take(row);
  return {};
}

}  // namespace

Outcome<std::vector<SiteSpec>> read_server_sites(Context& context) {
  std::vector<SiteSpec> sites;
  TRY(each_row(kSitesPath, "sites", context, [&](const ordered_json& row) {
    sites.push_back({cell_of(row, "domain"), cell_of(row, "timezone")});
  }));
  return sites;
}

Outcome<std::vector<LinkSpec>> read_account_links(Context& context) {
  std::vector<LinkSpec> links;
  TRY(each_row(kAccountLinksPath, "shared_links", context,
               [&](const ordered_json& row) { links.push_back(link_of(row)); }));
  return links;
}

Outcome<void> read_details(SiteSpec& site, const SiteDetails& details, Context& context) {
  const auto name = percent_encode(site.domain);
  if (details.fields) {
    const auto read = TRY(fetch_site(site.domain, context));
    const bool is_default = read.value("keep_is_default", true);
    if (!is_default) site.keep = cell_of(read, "keep");
    if (read.value("keep_totals", false)) site.keep_totals = true;
    if (read.value("languages", false)) site.languages = true;
  }
  if (details.goals) {
    TRY(each_row(std::string(kGoalsPath) + "?site_id=" + name, "goals", context,
                 [&](const ordered_json& row) { site.goals.push_back(goal_of(row)); }));
  }
  if (details.funnels) {
    TRY(each_row(std::string(kFunnelsPath) + "?site_id=" + name, "funnels", context,
                 [&](const ordered_json& row) { add_funnel(row, site); }));
  }
  if (details.links) {
    TRY(each_row(std::string(kLinksPath) + "?site_id=" + name, "shared_links", context,
                 [&](const ordered_json& row) { site.links.push_back(link_of(row)); }));
  }
  if (!details.exclusions) return {};
  return each_row(site_path(site.domain) + "/exclusions", "exclusions", context,
                  [&](const ordered_json& row) {
                    const auto kind = parse_exclusion_kind(cell_of(row, "type"));
                    if (!kind) return;  // skips a kind that only a newer server knows
                    site.exclusions.push_back({*kind, cell_of(row, "value"), cell_of(row, "id")});
                  });
}

}  // namespace analytics::cli
