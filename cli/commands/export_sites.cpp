#include <ostream>

#include <nlohmann/json.hpp>

#include "cli/commands/commands.h"
#include "cli/commands/server_sites.h"
#include "cli/frame/output.h"
#include "common/fs.h"
#include "common/text.h"

namespace analytics::cli {
namespace {

using nlohmann::ordered_json;

ordered_json json_of(const SiteSpec& site) {
  ordered_json json = {{"domain", site.domain}, {"timezone", site.timezone.value_or("")}};
  if (site.keep) json["keep"] = *site.keep;
  if (site.keep_totals) json["keep_totals"] = *site.keep_totals;
  json["goals"] = ordered_json::array();
  for (const auto& goal : site.goals) {
    ordered_json row = {{goal_type_name(goal.type), goal.value}};
    if (goal.display_name) row["display_name"] = *goal.display_name;
    json["goals"].push_back(std::move(row));
  }
  json["links"] = ordered_json::array();
  for (const auto& link : site.links) {
    ordered_json row = {{"name", link.name}};
    if (!link.token.empty()) row["token"] = link.token;
    json["links"].push_back(std::move(row));
  }
  json["exclusions"] = ordered_json::array();
  for (const auto& exclusion : site.exclusions) {
    json["exclusions"].push_back(
        {{"type", exclusion_kind_name(exclusion.kind)}, {"value", exclusion.value}});
  }
  return json;
}

std::string write_as(const std::vector<SiteSpec>& sites, OutputForm form) {
  if (form != OutputForm::kJson) return format_sites(sites);
  ordered_json document = {{"sites", ordered_json::array()}};
  for (const auto& site : sites) document["sites"].push_back(json_of(site));
  return json_line(document) + '\n';
}

}  // namespace

Outcome<ExitCode> export_sites(const ExportSitesOptions& options, Context& context) {
  const auto form = context.settings.output;
  if (form != OutputForm::kText && form != OutputForm::kJson) {
    return give_up(ExitCode::kUsage, "export sites writes TOML, or JSON with -o json", "usage");
  }
  auto sites = read_server_sites(context);
  if (!sites) return tl::unexpected(sites.error());
  for (auto& site : *sites) {
    if (auto read = read_details(site, {}, context); !read) return tl::unexpected(read.error());
    if (options.with_secrets) continue;
    for (auto& link : site.links) link.token.clear();
  }
  const auto text = write_as(*sites, form);
  if (options.out.empty()) {
    context.out << text;
    return ExitCode::kOk;
  }
  auto file = NewFile::create(options.out);
  const auto written = file ? file->write(text) : Status(tl::unexpected(file.error()));
  if (!written) return give_up(ExitCode::kOutput, written.error().message, "output");
  if (!context.settings.quiet) {
    context.err << sites->size() << " sites were written to " << visible(options.out) << '\n';
  }
  return ExitCode::kOk;
}

}  // namespace analytics::cli
