#include <ostream>

#include <nlohmann/json.hpp>

#include "cli/frame/output.h"
#include "cli/site_file/server_sites.h"
#include "cli/site_file/site_file_commands.h"
#include "common/io/fs.h"
#include "common/text/text.h"

namespace analytics::cli {
namespace {

using nlohmann::ordered_json;

ordered_json json_of(const std::vector<LinkSpec>& links) {
  auto json = ordered_json::array();
  for (const auto& link : links) {
    auto& row = json.emplace_back(ordered_json{{"name", link.name}});
    if (!link.token.empty()) row["token"] = link.token;
    for (const auto& term : kLinkTerms) {
      if (const auto& value = link.*term.value) row[term.name] = *value;
    }
    if (link.has_password) row["has_password"] = true;
  }
  return json;
}

ordered_json json_of(const SiteSpec& site) {
  ordered_json json = {{"domain", site.domain}, {"timezone", site.timezone.value_or("")}};
  if (site.keep) json["keep"] = *site.keep;
  if (site.keep_totals) json["keep_totals"] = *site.keep_totals;
  if (site.languages) json["languages"] = *site.languages;
  json["goals"] = ordered_json::array();
  for (const auto& goal : site.goals) {
    ordered_json row = {{goal_type_name(goal.type), goal.value}};
    if (goal.display_name) row["display_name"] = *goal.display_name;
    json["goals"].push_back(std::move(row));
  }
  json["funnels"] = ordered_json::array();
  for (const auto& funnel : site.funnels) {
    json["funnels"].push_back({{"name", funnel.name},
                               {"within", funnel_within_name(funnel.within)},
                               {"steps", ordered_json::parse(to_json(funnel.steps))}});
  }
  json["links"] = json_of(site.links);
  json["exclusions"] = ordered_json::array();
  for (const auto& exclusion : site.exclusions) {
    json["exclusions"].push_back(
        {{"type", exclusion_kind_name(exclusion.kind)}, {"value", exclusion.value}});
  }
  return json;
}

std::string write_as(const AccountSpec& account, OutputForm form) {
  if (form != OutputForm::kJson) return format_sites(account);
  ordered_json document = {{"links", json_of(account.links)}, {"sites", ordered_json::array()}};
  for (const auto& site : account.sites) document["sites"].push_back(json_of(site));
  return json_line(document) + '\n';
}

}  // namespace

Outcome<ExitCode> export_sites(const ExportSitesOptions& options, Context& context) {
  const auto form = context.settings.output;
  if (form != OutputForm::kText && form != OutputForm::kJson) {
    return give_up(ExitCode::kUsage, "export sites writes TOML, or JSON with -o json", "usage");
  }
  AccountSpec account;
  auto links = read_account_links(context);
  if (links) account.links = std::move(*links);
  // A key that is limited to some sites cannot read the account's links, and exports only its
  // sites.
  if (!links && links.error().code != "missing_scope") return tl::unexpected(links.error());
  account.sites = TRY(read_server_sites(context));
  const auto hide = [&](std::vector<LinkSpec>& all) {
    if (options.with_secrets) return;
    for (auto& link : all) link.token.clear();
  };
  hide(account.links);
  for (auto& site : account.sites) {
    TRY(read_details(site, {}, context));
    hide(site.links);
  }
  const auto text = write_as(account, form);
  if (options.out.empty()) {
    context.out << text;
    return ExitCode::kOk;
  }
  auto file = NewFile::create(options.out);
  const auto written = file ? file->write(text) : Status(tl::unexpected(file.error()));
  if (!written) return give_up(ExitCode::kOutput, written.error().message, "output");
  if (!context.settings.quiet) {
    context.err << account.sites.size() << " sites were written to " << visible(options.out)
                << '\n';
  }
  return ExitCode::kOk;
}

}  // namespace analytics::cli
