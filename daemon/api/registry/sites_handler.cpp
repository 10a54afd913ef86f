#include <nlohmann/json.hpp>

#include "common/text/grouped.h"
#include "common/text/local_time.h"
#include "common/text/text.h"
#include "common/text/time.h"
#include "daemon/api/registry/registry_handlers.h"
#include "daemon/call/errors.h"
#include "daemon/call/work.h"
#include "daemon/store/sqlite/registry/registry.h"

namespace analytics::api {
namespace {

using nlohmann::ordered_json;
constexpr std::chrono::hours kKeepOldName{72};

ordered_json short_form(const Site& site) {
  return {{"domain", site.domain}, {"timezone", site.timezone}};
}

std::string long_form(const ChangeContext& context, const Site& site) {
  auto body = short_form(site);
  body["created_at"] = format_rfc3339(site.created_at);
  body["first_event_at"] = nullptr;
  if (site.first_event_at) body["first_event_at"] = format_rfc3339(*site.first_event_at);
  body["keep"] = to_text(site.keep.value_or(context.settings.snapshot()->default_keep));
  body["keep_is_default"] = !site.keep.has_value();
  body["keep_totals"] = site.keep_totals;
  body["languages"] = site.languages;
  body["totals_from"] = nullptr;
  if (site.totals_from) body["totals_from"] = format_day(*site.totals_from);
  return body.dump();
}

/// Checks a time zone's name and returns it, or `fallback` if it is blank or null. Errors:
/// kInvalidTimezone.
Result<std::string> read_timezone(const std::string* value, const std::string& fallback) {
  const auto name = value == nullptr ? std::string_view() : trim(*value);
  if (name.empty()) return fallback;
  if (is_time_zone(name)) return std::string(name);
  return fail({ErrorCode::kInvalidTimezone,
               "timezone is not a zone of the IANA database.",
               {{"timezone", "is not a zone of the IANA database"}}});
}

/// Rejects a site that the key must not use, because the key is limited to other sites. Errors:
/// kMissingScope.
Status check_allowed(const ApiKey& key, const std::string& domain) {
  if (key.allows_site(domain)) return {};
  return fail(ErrorCode::kMissingScope,
              "This key is limited to certain sites and may create only those.");
}

UnixSeconds now_of(const ChangeContext& context) {
  return std::chrono::floor<std::chrono::seconds>(context.clock.now());
}

/// Parses the new settings of a site. Errors: kMissingParameter if the request has no setting;
/// those of each setting; those of check_allowed().
Result<store::SiteUpdate> read_update(const Call& call) {
  store::SiteUpdate update;
  const auto* name = call.params.find("domain");
  const auto* zone = call.params.find_text("timezone");
  const auto* keep = call.params.find_text("keep");
  update.keep_totals = TRY(call.params.flag("keep_totals"));
  update.languages = TRY(call.params.flag("languages"));
  if (name == nullptr && zone == nullptr && keep == nullptr && !update.keep_totals &&
      !update.languages) {
    return fail({ErrorCode::kMissingParameter,
                 "timezone, domain, keep, keep_totals or languages is required.",
                 {{"timezone", "or domain, keep, keep_totals or languages is required"}}});
  }
  if (name != nullptr) {
    auto domain = TRY(normalise_domain(*name));
    TRY(check_allowed(*call.key, domain));
    update.domain = std::move(domain);
  }
  if (zone != nullptr) {
    update.timezone = TRY(read_timezone(zone, kDefaultTimezone));
  }
  if (keep != nullptr) {
    update.keep = TRY(parse_retention(*keep));
  }
  return update;
}

/// Returns the events that the site keeps now but would no longer keep after the update; nullopt if
/// it would keep at least as many days as now.
std::optional<EventSelection> newly_expired(const ChangeContext& context, const Site& site,
                                            const store::SiteUpdate& update) {
  const auto today = local_day(now_of(context), site.timezone);
  const auto before = site.keep.value_or(context.settings.snapshot()->default_keep);
  if (!update.keep || !is_shorter(*update.keep, before, today)) return std::nullopt;
  EventSelection expired;
  expired.site = site.id;
  expired.to = start_of_day(*first_kept(*update.keep, today), site.timezone);
  return expired;
}

/// Describes the data of the site that the update would remove, for an error message: "12 events
/// are older than 90d". Empty if the update would remove nothing. Errors: those of the store.
Result<std::string> removed_by(const ChangeContext& context, const store::SiteUpdate& update,
                               SiteId id, store::Reader& reader) {
  const auto site = TRY(reader.registry->site(id));
  if (update.keep_totals == false && site.totals_from) {
    return "Daily totals since " + format_day(*site.totals_from) + " are kept";
  }
  const auto older = newly_expired(context, site, update);
  if (!older) return std::string();
  const auto count = TRY(reader.events->count(*older));
  if (count == 0) return std::string();
  return grouped(count) + " events are older than " + to_text(*update.keep);
}

void change_site(const ChangeContext& context, SiteId site, const store::SiteUpdate& update,
                 http::Responder respond) {
  change_registry<store::Changed<Site>>(
      context,
      [site, update, now = now_of(context)](sqlite::Registry& registry) {
        return registry.sites().update_site(site, update, now, kKeepOldName);
      },
      [&context](const store::Changed<Site>& changed) {
        return changed_response(long_form(context, changed.value), changed.outcome);
      },
      std::move(respond));
}

}  // namespace

void create_site(const ChangeContext& context, const Call& call, http::Responder respond) {
  const auto name = call.params.require("domain");
  if (!name) return respond(error_response(name.error()));
  const auto domain = normalise_domain(*name);
  if (!domain) return respond(error_response(domain.error()));
  const auto timezone = read_timezone(call.params.find("timezone"), kDefaultTimezone);
  if (!timezone) return respond(error_response(timezone.error()));
  if (const auto allowed = check_allowed(*call.key, *domain); !allowed) {
    return respond(error_response(allowed.error()));
  }
  change_registry<store::Changed<Site>>(
      context,
      [account = call.key->account, domain = *domain, timezone = *timezone,
       now = now_of(context)](sqlite::Registry& registry) {
        return registry.sites().create_site(account, domain, timezone, now);
      },
      [](const store::Changed<Site>& made) {
        return changed_response(short_form(made.value).dump(), made.outcome);
      },
      std::move(respond));
}

void list_sites(const ChangeContext& context, const Call& call, http::Responder respond) {
  const auto page = call.params.page();
  if (!page) return respond(error_response(page.error()));
  read_on_worker(
      context, call.key->account,
      [account = call.key->account, only = call.key->sites,
       page = *page](store::Reader& reader) -> Result<http::Response> {
        const auto sites = TRY(reader.registry->list_sites(account, only, page));
        auto rows = ordered_json::array();
        for (const auto& site : sites.items) rows.push_back(short_form(site));
        return list_response("sites", std::move(rows), page, sites.ends);
      },
      std::move(respond));
}

void get_site(const ChangeContext& context, const Call& call, http::Responder respond) {
  const auto site = call.own_site(call.request.parameters.front());
  if (!site) return respond(error_response(site.error()));
  read_on_worker(
      context, call.key->account,
      [&context, id = site->id](store::Reader& reader) -> Result<http::Response> {
        const auto stored = TRY(reader.registry->site(id));
        return json_response(long_form(context, stored));
      },
      std::move(respond));
}

void update_site(const ChangeContext& context, const Call& call, http::Responder respond) {
  const auto site = call.own_site(call.request.parameters.front());
  if (!site) return respond(error_response(site.error()));
  const auto update = read_update(call);
  if (!update) return respond(error_response(update.error()));
  const auto* confirmed = call.params.find("confirm");
  const bool is_confirmed = confirmed != nullptr && normalise_domain(*confirmed) == site->domain;
  const bool may_remove = update->keep_totals == false || newly_expired(context, *site, *update);
  if (!may_remove || is_confirmed) {
    return change_site(context, site->id, *update, std::move(respond));
  }
  work_on_analyst(
      context, lane_of_site(context, site->id),
      [&context, site = *site, update = *update](store::Reader& reader,
                                                 const http::Responder& answer) {
        const auto removed = removed_by(context, update, site.id, reader);
        if (!removed) return answer(error_response(removed.error()));
        if (removed->empty()) return change_site(context, site.id, update, answer);
        answer(
            error_response({ErrorCode::kConfirmRequired,
                            *removed + " and would be removed after 24 hours; confirm it with the"
                                       " site's domain.",
                            {{"confirm", "must be " + site.domain}}}));
      },
      std::move(respond));
}

void delete_site(const ChangeContext& context, const Call& call, http::Responder respond) {
  const auto site = call.own_site(call.request.parameters.front());
  if (!site) return respond(error_response(site.error()));
  change_registry<void>(
      context,
      [id = site->id](sqlite::Registry& registry) { return registry.sites().delete_site(id); },
      [] { return deleted_response(); }, std::move(respond));
}

void ensure_property(const ChangeContext&, const Call& call, http::Responder respond) {
  const auto site = call.site_parameter();
  if (!site) return respond(error_response(site.error()));
  const auto name = call.params.require("property");
  if (!name) return respond(error_response(name.error()));
  respond(json_response(R"({"created":true})"));
}

void delete_property(const ChangeContext&, const Call& call, http::Responder respond) {
  const auto site = call.site_parameter();
  if (!site) return respond(error_response(site.error()));
  respond(json_response(R"({"deleted":true})"));
}

}  // namespace analytics::api
