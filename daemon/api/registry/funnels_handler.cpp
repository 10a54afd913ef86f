#include <nlohmann/json.hpp>

#include "common/text/text.h"
#include "daemon/api/registry/registry_handlers.h"
#include "daemon/call/errors.h"
#include "daemon/call/representation.h"
#include "daemon/call/work.h"
#include "daemon/stats/caveats.h"
#include "daemon/stats/funnel_report.h"
#include "daemon/stats/parsing/v1_query.h"
#include "daemon/store/sqlite/registry/registry.h"

namespace analytics::api {
namespace {

using nlohmann::ordered_json;

ordered_json funnel_form(const Funnel& funnel, const std::string& domain) {
  return {{"domain", domain},
          {"name", funnel.name},
          {"within", funnel_within_name(funnel.within)},
          {"steps", ordered_json::parse(to_json(funnel.steps))}};
}

/// Returns the site and the funnel's name from the parameters `site_id` and `name`. Errors:
/// kMissingParameter, kSiteNotFound, kInvalidParameter.
Result<std::pair<Site, std::string>> read_funnel_name(const Call& call) {
  const auto wanted = TRY(call.params.require("site_id"));
  const auto given = TRY(call.params.require("name"));
  auto site = TRY(call.own_site(wanted));
  auto name = TRY(normalise_funnel_name(given));
  return std::pair(std::move(site), std::move(name));
}

ordered_json report_form(const FunnelReport& report) {
  ordered_json body = {{"name", report.name},
                       {"within", funnel_within_name(report.within)},
                       {"steps", ordered_json::array()}};
  for (const auto& step : report.steps) {
    body["steps"].push_back({{"label", step.label},
                             {"visitors", step.visitors},
                             {"conversion_rate", step.conversion_rate},
                             {"dropoff", step.dropoff}});
  }
  if (!report.warning.empty()) body["warning"] = report.warning;
  body["meta"] = ordered_json::object();
  add_to(body["meta"], report.caveats);
  return body;
}

}  // namespace

void ensure_funnel(const ChangeContext& context, const Call& call, http::Responder respond) {
  const auto named = read_funnel_name(call);
  if (!named) return respond(error_response(named.error()));
  const auto given = call.params.require("steps");
  if (!given) return respond(error_response(given.error()));
  auto steps = parse_funnel_steps(*given);
  if (!steps) return respond(error_response(steps.error()));
  const auto* word = call.params.find("within");
  const auto within = parse_funnel_within(word == nullptr ? std::string_view() : *word);
  if (!within) return respond(error_response(within.error()));
  const auto& [site, name] = *named;
  change_registry<store::Changed<Funnel>>(
      context,
      [funnel = Funnel{site.id, name, *within, std::move(*steps)}, now = context.now_in_seconds()](
          sqlite::Registry& registry) { return registry.funnels().ensure_funnel(funnel, now); },
      [domain = site.domain](const store::Changed<Funnel>& made) {
        return changed_response(funnel_form(made.value, domain).dump(), made.outcome);
      },
      std::move(respond));
}

void list_funnels(const ChangeContext& context, const Call& call, http::Responder respond) {
  const auto site = call.site_parameter();
  if (!site) return respond(error_response(site.error()));
  read_on_worker(
      context, call.key->account,
      [site = *site](store::Reader& reader) -> Result<http::Response> {
        const auto funnels = TRY(reader.registry->list_funnels(site.id));
        ordered_json body = {{"funnels", ordered_json::array()}};
        for (const auto& funnel : funnels) {
          body["funnels"].push_back(funnel_form(funnel, site.domain));
        }
        return json_response(body.dump());
      },
      std::move(respond));
}

void delete_funnel(const ChangeContext& context, const Call& call, http::Responder respond) {
  const auto named = read_funnel_name(call);
  if (!named) return respond(error_response(named.error()));
  change_registry<void>(
      context,
      [site = named->first.id, name = named->second](sqlite::Registry& registry) {
        return registry.funnels().delete_funnel(site, name);
      },
      [] { return deleted_response(); }, std::move(respond));
}

void get_funnel(const ChangeContext& context, const Call& call, http::Responder respond) {
  const auto named = read_funnel_name(call);
  if (!named) return respond(error_response(named.error()));
  read_stats(
      context, lane_of_site(context, named->first.id),
      [params = call.params, site = named->first, name = named->second,
       goals = call.snapshot->goals(named->first.id), now = context.now_in_seconds(),
       keep = context.settings.snapshot()->default_keep](
          store::Reader& reader) -> Result<http::Response> {
        const auto word = [&](std::string_view parameter) {
          const auto* value = params.find(parameter);
          return value == nullptr ? std::string_view() : trim(*value);
        };
        v1::Words words;
        words.period = word("period");
        words.date = word("date");
        words.filters = word("filters");
        const auto asked = TRY(v1::parse_aggregate(words, {site, goals, now}));
        const auto funnel = TRY(find_funnel(site.id, name, *reader.registry));
        auto whole = TRY(count_funnel(funnel, asked.query.selection, *reader.stats));
        add_caveats_of_range(asked.query, now, whole.caveats);
        add_extent(reader.stats->extent(), whole.caveats);
        const auto kept = kept_from(site, keep, now);
        if (kept && asked.query.selection.range.from < *kept) {
          whole.warning = "Days whose events are no longer kept do not count.";
        }
        return json_response(report_form(whole).dump());
      },
      represented(call.request, respond));
}

}  // namespace analytics::api
