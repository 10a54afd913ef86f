#include <ostream>

#include <nlohmann/json.hpp>

#include "cli/commands/commands.h"
#include "cli/frame/paths.h"
#include "cli/frame/requests.h"
#include "common/text/text.h"

namespace analytics::cli {
namespace {

using nlohmann::ordered_json;

std::string describe(const ordered_json& site) {
  return site.value("domain", "") + " (" + site.value("timezone", "") + ")";
}

/// Succeeds for a site that exists already, if the options allow that, the key can read the site,
/// and its time zone is the wanted one.
Outcome<ExitCode> accept_existing(const SiteOptions& options, const Failure& conflict,
                                  Context& context) {
  if (!options.if_not_exists) return tl::unexpected(conflict);
  const auto site = fetch_site(options.domain, context);
  if (!site && site.error().status == 404) return tl::unexpected(conflict);
  if (!site) return tl::unexpected(site.error());
  if (!options.timezone.empty() && !has_timezone(*site, options.timezone)) {
    return give_up(ExitCode::kConflict, describe(*site) + " exists with another time zone",
                   "timezone_differs");
  }
  return print_object(*site, "unchanged", "unchanged " + describe(*site), context);
}

std::string describe_with_keep(const ordered_json& site) {
  return describe(site) + ", keep " + cell_of(site, "keep") +
         (site.value("keep_totals", false) ? " and daily totals" : "");
}

}  // namespace

Outcome<ExitCode> create_site(const SiteOptions& options, Context& context) {
  ApiClient::Request request{"POST", kSitesPath, {{"domain", options.domain}}, false, true, {}, {}};
  if (!options.timezone.empty()) request.form.emplace_back("timezone", options.timezone);
  if (context.settings.dry_run) return print_request(request, context);
  const auto site = post_site(request, context);
  if (site) return print_object(*site, "created", "created " + describe(*site), context);
  if (site.error().exit == ExitCode::kConflict) {
    return accept_existing(options, site.error(), context);
  }
  return tl::unexpected(site.error());
}

Outcome<ExitCode> list_sites(Context& context) {
  const auto sites = TRY(read_pages(kSitesPath, "sites", context));
  return print_list(sites, "sites", {"domain", "timezone"}, context);
}

Outcome<ExitCode> get_site(const SiteOptions& options, Context& context) {
  const auto site = TRY(fetch_site(options.domain, context));
  if (context.settings.output != OutputForm::kText) return print_object(site, "", "", context);
  for (const auto& [name, value] : site.items()) {
    const auto text = cell_of(site, name);
    context.out << visible(name) << '\t' << (value.is_null() ? "-" : visible(text)) << '\n';
  }
  return ExitCode::kOk;
}

Outcome<ExitCode> update_site(const SiteOptions& options, Context& context) {
  ApiClient::Request request{"PUT", site_path(options.domain), {}, true, true, {}, {}};
  if (!options.timezone.empty()) request.form.emplace_back("timezone", options.timezone);
  if (!options.new_domain.empty()) request.form.emplace_back("domain", options.new_domain);
  if (!options.keep.empty()) request.form.emplace_back("keep", options.keep);
  if (!options.keep_totals.empty()) {
    request.form.emplace_back("keep_totals", options.keep_totals == "yes" ? "true" : "false");
  }
  if (!options.languages.empty()) {
    request.form.emplace_back("languages", options.languages == "yes" ? "true" : "false");
  }
  if (request.form.empty()) {
    return give_up(
        ExitCode::kUsage,
        "sites update requires --timezone, --domain, --keep, --keep-totals or --languages",
        "usage");
  }
  if (!options.confirm.empty()) request.form.emplace_back("confirm", options.confirm);
  const auto run = [&] {
    return options.keep.empty() && options.keep_totals.empty()
               ? run_change(request, {"domain", "timezone"}, describe, context)
               : run_change(request, {"domain", "timezone", "keep"}, describe_with_keep, context);
  };
  auto done = run();
  if (done || done.error().code != "confirm_required" || !options.confirm.empty()) return done;
  const auto what =
      std::string(trim(done.error().message.substr(0, done.error().message.find(';'))));
  TRY(confirm_domain(what, options.domain, {}, context));
  request.form.emplace_back("confirm", options.domain);
  return run();
}

Outcome<ExitCode> delete_site(const SiteOptions& options, Context& context) {
  if (!context.settings.dry_run) {
    TRY(confirm_domain("This deletes " + options.domain + " with all its data", options.domain,
                       options.confirm, context));
  }
  return run_delete({"DELETE", site_path(options.domain), {}, true, true, {}, {}},
                    options.if_exists, options.domain, context, true);
}

Outcome<ExitCode> list_drops(const SiteOptions& options, Context& context) {
  const auto path = site_path(options.domain) + "/drops?days=" + std::to_string(options.days);
  const auto reply = TRY(context.api.call({"GET", path, {}, true, true, {}, {}}));
  const auto body = TRY(body_of(reply));
  if (!body.contains("drops") || !body["drops"].is_array()) return bad_answer();
  return print_list(body, "drops", {"hour", "reason", "count"}, context);
}

}  // namespace analytics::cli
